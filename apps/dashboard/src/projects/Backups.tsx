import {
  type Backup,
  type BackupChanges,
  backupNoteMaxLength,
  countedContent,
  hasStaging,
  type Project,
  type SiteBackups,
  undoDays,
} from "@nido/contract";
import { Download, Undo2 } from "lucide-react";
import { type FormEvent, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { PartsDialog } from "./PartsDialog.tsx";
import { isWorking } from "./WorkProgress.tsx";

/** The backups of a WordPress site: made, restored and downloaded by its owner. */
export function Backups({ project }: { project: Project }) {
  const { t } = useTranslation();
  const path = serverPaths.backups(project.id);
  const isBusy = isWorking(project);
  // biome-ignore lint/correctness/useExhaustiveDependencies: then there is another backup
  const load = useCallback(
    (signal: AbortSignal) => api<SiteBackups>(path, { signal }),
    [path, isBusy, project.backed_up_at],
  );
  const call = useCall(load);
  const [known, setKnown] = useState<SiteBackups>();
  const [chosen, setChosen] = useState<Backup>();
  useEffect(() => {
    if (call.status === "done") setKnown(call.answer);
  }, [call]);

  return (
    <section className="mb-9">
      <h2 className="text-section font-[640]">{t("project.backups.title")}</h2>
      <p className="mt-1 mb-3 max-w-[65ch] text-small text-ink-2">
        {known ? t("project.backups.kept", { ...known.kept, days: undoDays }) : t("project.backups.intro")}
      </p>
      <Card>
        <div className="border-b border-line p-5">
          <NewBackup project={project} />
        </div>
        {!known && call.status === "failed" && (
          <div className="p-5">
            <ErrorBox>{t("errors.error_network")}</ErrorBox>
          </div>
        )}
        {!known && call.status === "loading" && <Skeleton count={3} className="m-5 h-10" />}
        {known?.backups.length === 0 && <p className="p-5 text-ink-2">{t("project.backups.none")}</p>}
        {known && (
          <ul className="divide-y divide-line">
            {known.backups.map((backup) => (
              <BackupRow
                key={backup.name}
                project={project}
                backup={backup}
                isWorking={isBusy}
                onRestore={() => setChosen(backup)}
              />
            ))}
          </ul>
        )}
      </Card>
      {chosen && (
        <PartsDialog
          title={t("project.backups.restore")}
          note={t("project.backups.restoreAsk", { date: dateOf(chosen), days: undoDays })}
          question={t("project.backups.what")}
          done={t("project.backups.restoreStarted")}
          {...(hasStaging(project.recipe) && {
            stagingNote: t("project.backups.stagingAsk", { date: dateOf(chosen) }),
          })}
          send={(parts, to) => api(serverPaths.restore(project.id, chosen.name), post({ parts, to }))}
          onClose={() => setChosen(undefined)}
        />
      )}
    </section>
  );
}

function NewBackup({ project }: { project: Project }) {
  const { t } = useTranslation();
  const [note, setNote] = useState("");
  const { busy, fault, run } = useChange();

  async function submit(event: FormEvent) {
    event.preventDefault();
    await run(
      "make",
      async () => {
        await api(serverPaths.backups(project.id), post({ note }));
        setNote("");
      },
      t("project.backups.started"),
    );
  }

  return (
    <form onSubmit={submit}>
      <div className="max-w-[420px]">
        <Field
          label={t("project.backups.note")}
          value={note}
          maxLength={backupNoteMaxLength}
          onChange={({ target }) => setNote(target.value)}
        />
      </div>
      <Button type="submit" busy={busy !== undefined} disabled={isWorking(project)}>
        {t("project.backups.make")}
      </Button>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </form>
  );
}

interface RowProps {
  project: Project;
  backup: Backup;
  isWorking: boolean;
  onRestore(): void;
}

function BackupRow({ project, backup, isWorking, onRestore }: RowProps) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange();
  const date = dateOf(backup);
  const facts = [
    backup.note && date,
    backup.size !== undefined && formatBytes(backup.size, currentLanguage()),
    backup.core && `WordPress ${backup.core}`,
  ];
  const path = serverPaths.backup(project.id, backup.name);
  const download = () =>
    run("download", async () => {
      await api(path, post({}));
      location.assign(path);
    });
  return (
    <li className="flex flex-wrap items-center gap-x-4 gap-y-2 px-5 py-3">
      <div className="min-w-0 flex-1 basis-[240px]">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 font-[560]">
          <span className="break-words">{backup.note || date}</span>
          <Badge tone={backup.reason === "manual" ? "blue" : "neutral"}>
            {t(`project.backups.reasons.${backup.reason}`)}
          </Badge>
        </p>
        <p className="mt-0.5 text-small text-ink-2">{facts.filter(Boolean).join(" · ")}</p>
        {backup.changes && <Changes changes={backup.changes} />}
      </div>
      <div className="flex flex-wrap gap-2">
        <Button
          size="small"
          disabled={isWorking}
          aria-label={t("project.backups.restoreName", { date })}
          onClick={onRestore}
        >
          <Undo2 className="size-4" aria-hidden="true" />
          {t("project.backups.restore")}
        </Button>
        <Button
          size="small"
          busy={busy !== undefined}
          aria-label={t("project.backups.downloadName", { date })}
          onClick={download}
        >
          <Download className="size-4" aria-hidden="true" />
          {t("project.backups.download")}
        </Button>
      </div>
      {fault && (
        <div className="w-full">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </li>
  );
}

/** What is different from the backup before. */
function Changes({ changes: { counts, edited, installed, updated, removed } }: { changes: BackupChanges }) {
  const { t } = useTranslation();
  const number = new Intl.NumberFormat(currentLanguage(), { signDisplay: "always" });
  const list = [
    ...countedContent.flatMap((kind) => {
      const by = counts[kind];
      return by === undefined
        ? []
        : [t(`project.backups.changes.${kind}`, { count: Math.abs(by), by: number.format(by) })];
    }),
    ...(edited ? [t("project.backups.changes.edited", { count: edited })] : []),
    ...Object.entries({ installed, updated, removed }).flatMap(([kind, names]) =>
      names.length === 0 ? [] : [t(`project.backups.changes.${kind as "installed"}`, { names: names.join(", ") })],
    ),
  ];
  if (list.length === 0 && edited === undefined) return null;
  return (
    <p className="mt-0.5 break-words text-small text-ink-2">
      {list.length === 0 ? t("project.backups.changes.none") : list.join(" · ")}
    </p>
  );
}

function dateOf({ created_at: date }: Backup): string {
  return formatDateTime(date, currentLanguage());
}
