import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useSettings, useSubscriptions } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";
import { Notice } from "../ui/Notice.tsx";
import { ProgressBar } from "../ui/ProgressBar.tsx";

/** The state of a WordPress site that is not active: its progress, or why it is suspended or failed. */
export function WordPressMaking({ project: { status, progress, sub_id } }: { project: Project }) {
  const { t } = useTranslation();
  const dispute = useSubscriptions()[sub_id]?.dispute;
  const { support_email: email } = useSettings();
  if (status === "suspended")
    return <Notice>{t(dispute ? `debt.dispute.${dispute}` : "project.suspendedText")}</Notice>;
  if (status === "failed")
    return (
      <Notice>
        {t("project.failedText")}{" "}
        <a href={`mailto:${email}`} className="underline">
          {email}
        </a>
      </Notice>
    );
  return (
    <Card className="max-w-[620px] p-6">
      <ProgressBar label={t("newProject.progressLabel")} percent={Math.round((progress?.progress ?? 0) * 100)} />
      <p role="status" className="mt-2 text-ink-2">
        {progress ? t(`newProject.stages.${progress.message}`) : t("newProject.waiting")}
      </p>
    </Card>
  );
}
