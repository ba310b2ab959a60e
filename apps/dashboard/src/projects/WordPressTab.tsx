import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Backups } from "./Backups.tsx";
import { MoveInSite } from "./MoveInSite.tsx";
import { Plugins } from "./Plugins.tsx";
import { SiteCare } from "./SiteCare.tsx";
import { SiteMail } from "./SiteMail.tsx";
import { SiteUsers } from "./SiteUsers.tsx";
import { Staging } from "./Staging.tsx";
import { Updates } from "./Updates.tsx";
import { WordPressMaking } from "./WordPressMaking.tsx";
import { WorkProgress } from "./WorkProgress.tsx";

/** What an owner does about their WordPress, also while it is broken. */
export function WordPressTab({ project }: { project: Project }) {
  if (project.status !== "active") return <WordPressMaking project={project} />;
  return (
    <>
      <WorkProgress project={project} />
      <Backups project={project} />
      <Staging project={project} />
      <MoveInSite project={project} />
      <Updates project={project} />
      <Plugins project={project} />
      <SiteUsers project={project} />
      <SiteMail project={project} />
      <SiteCare project={project} />
      <Cache project={project} />
    </>
  );
}

function Cache({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange();
  const purge = () => run("purge", () => api(serverPaths.purge(project.id), post({})), t("project.care.purged"));
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.care.cache")}</h2>
      <Card className="p-5">
        <div className="flex flex-wrap items-center justify-between gap-4">
          <p className="max-w-[60ch] text-ink-2">{t("project.care.cacheText")}</p>
          <Button size="small" busy={busy !== undefined} onClick={purge}>
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
