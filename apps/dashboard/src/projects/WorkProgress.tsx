import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

/** How far the work on a site has come, or that it failed. */
export function WorkProgress({ project: { work } }: { project: Project }) {
  const { t } = useTranslation();
  if (!work) return null;
  if (work.has_failed)
    return (
      <div className="mb-6">
        <ErrorBox>{t(work.is_damaged ? "project.work.damaged" : `project.work.failed.${work.kind}`)}</ErrorBox>
      </div>
    );
  const label = t(`project.work.running.${work.kind}`);
  return (
    <Card className="mb-6 p-5">
      <div role="status" className="max-w-[420px]">
        <p className="mb-1.5 text-small text-ink-2">{label}</p>
        <ProgressBar label={label} percent={Math.floor(work.progress * 100)} />
      </div>
    </Card>
  );
}

export function isWorking({ work }: Project): boolean {
  return work !== undefined && !work.has_failed;
}
