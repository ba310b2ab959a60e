import { type Deploy, lowStorage, mainBranch, type Project } from "@nido/contract";
import { ExternalLink, TriangleAlert, Undo2 } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { ActionDialog } from "./ActionDialog.tsx";
import { ReportDialog } from "./ReportDialog.tsx";

/** A static site's deploys: live ones, earlier ones to show again, and unfinished ones with their progress. */
export function Deploys({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<{ action: "rollBack" | "promote" | "report"; deploy: Deploy }>();
  const { deploys = {}, branches = {} } = project;
  const live = new Set(Object.values(branches).map(({ deploy }) => deploy));
  const list = Object.values(deploys).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  if (list.length === 0) return null;
  const isOn = (branch: string, { id }: Deploy) => branches[branch]?.deploy === id;
  const close = () => setAsked(undefined);
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.deploys.title")}</h2>
      <LowStorage storage={project.storage} />
      <Card>
        <ul className="divide-y divide-line">
          {list.map((deploy) => (
            <li key={deploy.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <DeploySummary deploy={deploy} isLive={live.has(deploy.id)} />
              {deploy.finished_at && (
                <div className="flex flex-wrap gap-2">
                  {deploy.findings > 0 ? (
                    <Button
                      size="small"
                      aria-label={t("project.deploys.findingsOf", { count: deploy.findings, date: dateOf(deploy) })}
                      onClick={() => setAsked({ action: "report", deploy })}
                    >
                      <TriangleAlert className="size-4 text-red" aria-hidden="true" />
                      {t("project.deploys.findings", { count: deploy.findings })}
                    </Button>
                  ) : (
                    <Button
                      size="small"
                      aria-label={t("project.deploys.reportOf", { date: dateOf(deploy) })}
                      onClick={() => setAsked({ action: "report", deploy })}
                    >
                      {t("project.deploys.report")}
                    </Button>
                  )}
                  {!isOn(deploy.branch, deploy) && (
                    <Button
                      size="small"
                      aria-label={t("project.deploys.rollBackTo", { date: dateOf(deploy) })}
                      onClick={() => setAsked({ action: "rollBack", deploy })}
                    >
                      <Undo2 className="size-4" aria-hidden="true" />
                      {t("project.deploys.rollBack")}
                    </Button>
                  )}
                  {deploy.branch !== mainBranch && !isOn(mainBranch, deploy) && (
                    <Button
                      size="small"
                      aria-label={t("project.deploys.promoteName", { date: dateOf(deploy) })}
                      onClick={() => setAsked({ action: "promote", deploy })}
                    >
                      {t("project.branches.promote")}
                    </Button>
                  )}
                </div>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {asked?.action === "report" && <ReportDialog deploy={asked.deploy} onClose={close} />}
      {asked?.action === "rollBack" && (
        <ActionDialog
          action="ROLL_BACK"
          payload={{ project_id: project.id, deploy_id: asked.deploy.id, branch: asked.deploy.branch }}
          title={t("project.deploys.rollBack")}
          note={t("project.deploys.rollBackAsk", { date: dateOf(asked.deploy), branch: asked.deploy.branch })}
          onClose={close}
        />
      )}
      {asked?.action === "promote" && (
        <ActionDialog
          action="PROMOTE"
          payload={{ project_id: project.id, deploy_id: asked.deploy.id }}
          title={t("project.branches.promote")}
          note={t("project.deploys.promoteAsk", { date: dateOf(asked.deploy), branch: asked.deploy.branch })}
          onClose={close}
        />
      )}
    </section>
  );
}

/** Warns before publishing is refused. */
function LowStorage({ storage }: Pick<Project, "storage">) {
  const { t } = useTranslation();
  if (!storage || storage.used <= lowStorage * storage.allowed) return null;
  const lang = currentLanguage();
  const sizes = { used: formatBytes(storage.used, lang), allowed: formatBytes(storage.allowed, lang) };
  return <p className="mb-3 text-red">{t("project.deploys.lowStorage", sizes)}</p>;
}

function dateOf({ finished_at: finished, created_at: created }: Deploy): string {
  return formatDateTime(finished ?? created, currentLanguage());
}

function DeploySummary({ deploy, isLive }: { deploy: Deploy; isLive: boolean }) {
  const { t } = useTranslation();
  const { branch, message, files, size, finished_at: finished, progress } = deploy;
  const { added, changed, removed } = deploy.changes;
  const facts = [
    message && dateOf(deploy),
    deploy.author,
    t("project.deploys.facts", { count: files, size: formatBytes(size, currentLanguage()) }),
    added + changed + removed > 0 && `+${added} ~${changed} −${removed}`,
  ];
  return (
    <div className="min-w-0 flex-1 basis-[240px]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-[560]">
        <span className="break-words">{message || dateOf(deploy)}</span>
        {isLive && <Badge tone="green">{t("project.deploys.live")}</Badge>}
        {branch !== mainBranch && <Badge tone="blue">{branch}</Badge>}
      </p>
      <p className="mt-0.5 text-small text-ink-2">
        <DeployId deploy={deploy} />
        {["", ...facts.filter(Boolean)].join(" · ")}
      </p>
      {!finished && (
        <div className="mt-2 max-w-[360px]">
          <ProgressBar label={t("project.deploys.sending")} percent={Math.floor(progress * 100)} />
        </div>
      )}
    </div>
  );
}

/** The short id, which leads to the deploy's permanent address. */
function DeployId({ deploy }: { deploy: Deploy }) {
  const { t } = useTranslation();
  const id = deploy.id.slice(0, 8);
  if (!deploy.url) return id;
  return (
    <a
      href={deploy.url}
      target="_blank"
      rel="noreferrer"
      title={t("project.deploys.permanent")}
      aria-label={`${id}: ${t("project.deploys.permanent")}`}
      className="underline"
    >
      {id}
      <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
    </a>
  );
}
