import type { Project } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { announce } from "../state/announcement.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Plugins } from "./Plugins.tsx";
import { WordPressMaking } from "./WordPressMaking.tsx";

/** What an owner does about their WordPress, also while it is broken. */
export function WordPressTab({ project }: { project: Project }) {
  if (project.status !== "active") return <WordPressMaking project={project} />;
  return (
    <>
      <Plugins project={project} />
      <Cache project={project} />
    </>
  );
}

function Cache({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function purge() {
    setIsBusy(true);
    setFault(undefined);
    try {
      await api(serverPaths.purge(project.id), post({}));
      announce(t("project.care.purged"));
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
    }
    setIsBusy(false);
  }

  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.care.cache")}</h2>
      <Card className="p-5">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-[60ch] text-ink-2">{t("project.care.cacheText")}</p>
          <Button size="small" busy={isBusy} onClick={purge}>
            {t("project.care.purge")}
          </Button>
        </div>
        {fault && (
          <div className="mt-4">
            <ErrorBox>{fault}</ErrorBox>
          </div>
        )}
      </Card>
    </section>
  );
}
