import { hasStaging, type Project, type StagingSite } from "@nido/contract";
import { ExternalLink } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { OpenWordPress } from "./OpenWordPress.tsx";
import { PushDialog } from "./PushDialog.tsx";
import { StagingDialog } from "./StagingDialog.tsx";
import { isWorking } from "./WorkProgress.tsx";

/** The staging copy of a WordPress site: a place to try changes before visitors see them. */
export function Staging({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { staging } = project;
  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.staging.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">{t("project.staging.intro")}</p>
      <Card className="p-5">
        {staging?.copied_at ? (
          <Copy project={project} staging={staging} copiedAt={staging.copied_at} />
        ) : (
          <NewCopy project={project} />
        )}
      </Card>
    </section>
  );
}

function NewCopy({ project }: { project: Project }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange();
  const make = () => run("make", () => api(serverPaths.staging(project.id), post({})), t("project.staging.started"));
  const remove = () =>
    run("remove", () => api(serverPaths.staging(project.id), { method: "DELETE" }), t("project.staging.removed"));
  if (!hasStaging(project.recipe))
    return (
      <>
        <p className="text-ink-2">{t("errors.error_staging_plan")}</p>
        {project.staging && (
          <Button size="small" className="mt-4" busy={busy === "remove"} disabled={isWorking(project)} onClick={remove}>
            {t("project.staging.remove")}
          </Button>
        )}
      </>
    );
  return (
    <>
      <Button busy={busy !== undefined} disabled={isWorking(project)} onClick={make}>
        {t("project.staging.make")}
      </Button>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </>
  );
}

interface CopyProps {
  project: Project;
  staging: StagingSite;
  copiedAt: string;
}

function Copy({ project, staging, copiedAt }: CopyProps) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<"push" | "renew" | "remove">();
  const close = () => setAsked(undefined);
  const isBusy = isWorking(project);
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-3">
        <div className="min-w-0 flex-1 basis-[240px]">
          <p>
            <a href={staging.url} target="_blank" rel="noreferrer" className="break-all font-[560] underline">
              {new URL(staging.url).host}
              <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
            </a>
          </p>
          <p className="mt-0.5 text-small text-ink-2">
            {t("project.staging.copied", { date: formatDateTime(copiedAt, currentLanguage()) })}
          </p>
        </div>
        <OpenWordPress project={staging} target="admin" />
      </div>
      <p className="mt-3 max-w-[65ch] text-small text-ink-2">{t("project.staging.rules")}</p>
      <div className="mt-4 flex flex-wrap gap-2">
        <Button size="small" look="primary" disabled={isBusy} onClick={() => setAsked("push")}>
          {t("project.staging.push")}
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => setAsked("renew")}>
          {t("project.staging.renew")}
        </Button>
        <Button size="small" disabled={isBusy} onClick={() => setAsked("remove")}>
          {t("project.staging.remove")}
        </Button>
      </div>
      {asked === "push" && <PushDialog project={project} onClose={close} />}
      {(asked === "renew" || asked === "remove") && <StagingDialog project={project} action={asked} onClose={close} />}
    </>
  );
}
