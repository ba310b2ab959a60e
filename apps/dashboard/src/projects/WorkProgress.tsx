import type { Project, SiteWork } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

/** How far work on a site has come, or that it failed; nothing if it is of another kind. */
export function WorkProgress({ project: { work }, kinds }: { project: Project; kinds: SiteWork["kind"][] }) {
  const { t } = useTranslation();
  if (!work || !kinds.includes(work.kind)) return null;
  if (work.has_failed)
    return (
      <div className="mb-4">
        <ErrorBox>{t(`project.work.failed.${work.kind}`)}</ErrorBox>
      </div>
    );
  const label = t(`project.work.running.${work.kind}`);
  return (
    <div role="status" className="max-w-[420px]">
      <p className="mb-1.5 text-small text-ink-2">{label}</p>
      <ProgressBar label={label} percent={Math.floor(work.progress * 100)} />
    </div>
  );
}

export function isWorking({ work }: Project): boolean {
  return work !== undefined && !work.has_failed;
}
