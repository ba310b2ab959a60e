import type { DeployPlan, Project, SiteReport } from "@nido/contract";
import { FolderUp } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { announce } from "../state/announcement.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { describeRefusal } from "./describeRefusal.ts";
import { PublishDialog } from "./PublishDialog.tsx";
import { type HashedFile, hashFiles, inspectFiles, planFiles } from "./publishFiles.ts";
import { type LocalSite, RefusedFiles, readChosen, readDropped } from "./readFiles.ts";

interface Ready {
  files: HashedFile[];
  plan: DeployPlan;
  report: SiteReport;
  hidden: string[];
}

/** Publishes a folder or a ZIP archive that is dropped here or chosen, after showing what would change. */
export function PublishDrop({ project }: { project: Project }) {
  const { t } = useTranslation();
  const folder = useRef<HTMLInputElement>(null);
  const archive = useRef<HTMLInputElement>(null);
  const [isOver, setIsOver] = useState(false);
  const [progress, setProgress] = useState<number>();
  const [fault, setFault] = useState<string>();
  const [ready, setReady] = useState<Ready>();

  async function prepare(reading: Promise<LocalSite>) {
    setFault(undefined);
    setProgress(0);
    try {
      const { files: found, hidden } = await reading;
      if (found.length === 0) return setFault(t("publish.empty"));
      const files = await hashFiles(found, setProgress);
      const plan = await planFiles(project.name, files);
      setReady({ files, plan, report: await inspectFiles(files), hidden });
    } catch (error) {
      setFault(describe(error));
    } finally {
      setProgress(undefined);
    }
  }

  function describe(error: unknown): string {
    if (!(error instanceof RefusedFiles)) return describeRefusal(t, error) ?? t("publish.unreadable");
    const shown = error.paths.slice(0, 5).join(", ");
    return t(`publish.${error.reason}`, { files: error.paths.length > 5 ? `${shown}…` : shown });
  }

  function choose(input: HTMLInputElement) {
    if (input.files) void prepare(readChosen(input.files));
    // Otherwise choosing the same folder again would be no change.
    input.value = "";
  }

  function drop(event: DragEvent) {
    event.preventDefault();
    setIsOver(false);
    void prepare(readDropped(event.dataTransfer.items));
  }

  return (
    <section aria-label={t("publish.title")} className="mb-9">
      {/* biome-ignore lint/a11y/noStaticElementInteractions: dropping is a shortcut for the buttons inside. */}
      <div
        onDragOver={(event) => {
          event.preventDefault();
          setIsOver(true);
        }}
        onDragLeave={() => setIsOver(false)}
        onDrop={drop}
        className={`rounded-card border-2 border-dashed px-6 py-8 text-center ${isOver ? "border-focus bg-blue-soft" : "border-line-strong"}`}
      >
        <FolderUp className="mx-auto mb-3 size-7 text-ink-3" aria-hidden="true" />
        <p className="font-[560]">{t("publish.drop")}</p>
        <p className="mb-4 text-small text-ink-2">{t("publish.hint")}</p>
        {progress === undefined ? (
          <div className="flex flex-wrap justify-center gap-3">
            <Button size="small" onClick={() => folder.current?.click()}>
              {t("publish.chooseFolder")}
            </Button>
            <Button size="small" onClick={() => archive.current?.click()}>
              {t("publish.chooseArchive")}
            </Button>
          </div>
        ) : (
          <div className="mx-auto max-w-[360px]">
            <ProgressBar label={t("publish.reading")} percent={Math.floor(progress * 100)} />
          </div>
        )}
        <input
          ref={folder}
          type="file"
          hidden
          multiple
          aria-label={t("publish.chooseFolder")}
          {...{ webkitdirectory: "" }}
          onChange={({ target }) => choose(target)}
        />
        <input
          ref={archive}
          type="file"
          hidden
          accept=".zip"
          aria-label={t("publish.chooseArchive")}
          onChange={({ target }) => choose(target)}
        />
      </div>
      {fault && (
        <div className="mt-3">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
      {ready && (
        <PublishDialog
          project={project}
          {...ready}
          size={formatBytes(
            ready.files.reduce((sum, { size }) => sum + size, 0),
            currentLanguage(),
          )}
          onClose={() => setReady(undefined)}
          onPublished={() => {
            setReady(undefined);
            announce(t("publish.published"));
          }}
        />
      )}
    </section>
  );
}
