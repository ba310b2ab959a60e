import { type Deploy, lowStorage, mainBranch, type Project } from "@nido/contract";
import { ExternalLink, Undo2 } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

/** A static site's deploys: live ones, earlier ones to roll back to, and unfinished ones with their progress. */
export function Deploys({ project }: { project: Project }) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const action = useAction("ROLL_BACK");
  const { trigger, inProgress, error } = action;
  const [chosen, setChosen] = useState<Deploy>();
  useWhenDone(action, () => setChosen(undefined));
  useEffect(() => {
    if (error) setChosen(undefined);
  }, [error]);
  const { deploys = {}, branches = {} } = project;
  const shown = new Map(Object.entries(branches).map(([name, { deploy, url }]) => [deploy, { name, url }]));
  const list = Object.values(deploys).toSorted((a, b) => (a.created_at < b.created_at ? 1 : -1));
  if (list.length === 0) return null;
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{t("project.deploys.title")}</h2>
      {error && (
        <div className="mb-3">
          <ErrorBox>{errorText(error.error)}</ErrorBox>
        </div>
      )}
      <LowStorage storage={project.storage} />
      <Card>
        <ul className="divide-y divide-line">
          {list.map((deploy) => (
            <li key={deploy.id} className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
              <DeploySummary deploy={deploy} shownAt={shown.get(deploy.id)?.url} />
              {deploy.finished_at && !shown.has(deploy.id) && (
                <Button
                  size="small"
                  aria-label={t("project.deploys.rollBackTo", { date: dateOf(deploy) })}
                  onClick={() => setChosen(deploy)}
                >
                  <Undo2 className="size-4" aria-hidden="true" />
                  {t("project.deploys.rollBack")}
                </Button>
              )}
            </li>
          ))}
        </ul>
      </Card>
      {chosen && (
        <Dialog
          title={t("project.deploys.rollBack")}
          note={t("project.deploys.rollBackAsk", { date: dateOf(chosen), branch: chosen.branch })}
          closeLabel={t("common.close")}
          onClose={() => setChosen(undefined)}
        >
          <div className="flex justify-end gap-3">
            <Button onClick={() => setChosen(undefined)}>{t("common.cancel")}</Button>
            <Button
              look="primary"
              busy={inProgress}
              onClick={() => trigger({ project_id: project.id, deploy_id: chosen.id, branch: chosen.branch })}
            >
              {t("project.deploys.rollBack")}
            </Button>
          </div>
        </Dialog>
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

function DeploySummary({ deploy, shownAt }: { deploy: Deploy; shownAt: string | undefined }) {
  const { t } = useTranslation();
  const { branch, message, files, size, finished_at: finished, progress } = deploy;
  const { added, changed, removed } = deploy.changes;
  const facts = [
    deploy.id.slice(0, 8),
    message && dateOf(deploy),
    deploy.author,
    t("project.deploys.facts", { count: files, size: formatBytes(size, currentLanguage()) }),
    added + changed + removed > 0 && `+${added} ~${changed} −${removed}`,
  ];
  return (
    <div className="min-w-0 flex-1 basis-[240px]">
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-[560]">
        <span className="break-words">{message || dateOf(deploy)}</span>
        {shownAt && <Badge tone="green">{t("project.deploys.live")}</Badge>}
        {branch !== mainBranch && <Badge tone="blue">{branch}</Badge>}
      </p>
      <p className="mt-0.5 text-small text-ink-2">
        {facts.filter(Boolean).join(" · ")}
        {shownAt && branch !== mainBranch && (
          <>
            {" · "}
            <a href={shownAt} target="_blank" rel="noreferrer" className="break-all underline">
              {new URL(shownAt).host}
              <ExternalLink className="ml-1 inline size-3.5" aria-hidden="true" />
            </a>
          </>
        )}
      </p>
      {!finished && (
        <div className="mt-2 max-w-[360px]">
          <ProgressBar label={t("project.deploys.sending")} percent={Math.floor(progress * 100)} />
        </div>
      )}
    </div>
  );
}
