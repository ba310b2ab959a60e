import { type DeployPlan, messageMaxLength, type Project, type SiteReport } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { FindingList } from "../ui/FindingList.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";
import { describeRefusal } from "./describeRefusal.ts";
import { type HashedFile, publishFiles } from "./publishFiles.ts";

const maxShownPaths = 100;

interface Props {
  project: Project;
  files: HashedFile[];
  plan: DeployPlan;
  report: SiteReport;
  /** files and folders that are left out */
  hidden: string[];
  /** of all files */
  size: string;
  onClose(): void;
  onPublished(): void;
}

/** How many files, and which. */
function PathList({ label, paths }: { label: string; paths: string[] }) {
  const shown = paths.slice(0, maxShownPaths);
  if (paths.length === 0) return <p>{label}</p>;
  return (
    <details>
      <summary className="cursor-pointer">{label}</summary>
      <ul className="my-1 ml-4 font-mono break-all">
        {shown.map((path) => (
          <li key={path}>{path}</li>
        ))}
        {paths.length > shown.length && <li>…</li>}
      </ul>
    </details>
  );
}

/** What would change, a note about it, and the button that publishes. */
export function PublishDialog({ project, files, plan, report, hidden, size, onClose, onPublished }: Props) {
  const { t } = useTranslation();
  // The same for each attempt: a repeated one continues the deploy instead of beginning another.
  const [key] = useState(() => crypto.randomUUID());
  const [message, setMessage] = useState("");
  const [progress, setProgress] = useState<number>();
  const [fault, setFault] = useState<string>();
  const isBusy = progress !== undefined;

  async function publish(event: FormEvent) {
    event.preventDefault();
    setFault(undefined);
    setProgress(0);
    try {
      await publishFiles(project.name, files, { key, message, report, onProgress: setProgress });
      onPublished();
    } catch (error) {
      setFault(describeRefusal(t, error) ?? t("errors.error_network"));
      setProgress(undefined);
    }
  }

  return (
    <Dialog
      title={t("publish.confirmTitle", { project: project.name })}
      note={t("publish.confirmNote", { count: files.length, size })}
      closeLabel={t("common.close")}
      onClose={() => isBusy || onClose()}
    >
      <form onSubmit={publish} className="flex flex-col gap-2">
        <div className="mb-2 text-small text-ink-2">
          <PathList label={t("publish.added", { count: plan.added.length })} paths={plan.added} />
          <PathList label={t("publish.changed", { count: plan.changed.length })} paths={plan.changed} />
          <PathList label={t("publish.removed", { count: plan.removed.length })} paths={plan.removed} />
          {hidden.length > 0 && <PathList label={t("publish.hidden", { count: hidden.length })} paths={hidden} />}
        </div>
        {report.findings.length > 0 && (
          <div role="alert" className="mb-2">
            <p className="mb-2 text-small">{t("publish.findings")}</p>
            <FindingList report={report} />
          </div>
        )}
        <Field
          label={t("publish.message")}
          value={message}
          onChange={({ target }) => setMessage(target.value)}
          maxLength={messageMaxLength}
          autoComplete="off"
        />
        {isBusy && <ProgressBar label={t("publish.sending")} percent={Math.floor(progress * 100)} />}
        <div className="mt-2 flex justify-end gap-3">
          <Button disabled={isBusy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t(isBusy ? "publish.publishing" : "publish.publish")}
          </Button>
        </div>
        {fault && <ErrorBox>{fault}</ErrorBox>}
      </form>
    </Dialog>
  );
}
