import { type Deploy, fileGroupNames, fileGroups, type SiteReport } from "@nido/contract";
import { Fragment, useCallback } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { FindingList } from "../ui/FindingList.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** What was noticed before a deploy was published, and what takes how much of it. */
export function ReportDialog({ deploy, onClose }: { deploy: Deploy; onClose(): void }) {
  const { t } = useTranslation();
  const path = serverPaths.publishReport(deploy.id);
  const call = useCall(useCallback((signal) => api<SiteReport>(path, { signal }), [path]));
  return (
    <Dialog
      title={t(deploy.findings > 0 ? "project.deploys.findings" : "project.deploys.report", { count: deploy.findings })}
      {...(deploy.findings > 0 && { note: t("project.deploys.findingsNote") })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      {call.status === "loading" && <Skeleton count={2} className="h-[24px]" />}
      {call.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_network")}</ErrorBox>
          <Button onClick={call.retry}>{t("common.retry")}</Button>
        </div>
      )}
      {call.status === "done" && (
        <>
          <FindingList report={call.answer} />
          <Sizes report={call.answer} />
        </>
      )}
    </Dialog>
  );
}

/** The size of each kind of file, the largest first. */
function Sizes({ report: { bytes } }: { report: SiteReport }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const groups = fileGroups
    .map((group) => ({ group, size: bytes[group] ?? 0 }))
    .filter(({ size }) => size > 0)
    .toSorted((one, other) => other.size - one.size);
  if (groups.length === 0) return <p className="text-small text-ink-2">{t("project.deploys.noSizes")}</p>;
  return (
    <dl className="mt-4 grid grid-cols-[auto_1fr] gap-x-4 gap-y-1 text-small">
      {groups.map(({ group, size }) => (
        <Fragment key={group}>
          <dt className="text-ink-2 first-letter:uppercase">{fileGroupNames[lang][group]}</dt>
          <dd>{formatBytes(size, lang)}</dd>
        </Fragment>
      ))}
    </dl>
  );
}
