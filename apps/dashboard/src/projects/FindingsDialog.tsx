import type { Deploy, SiteReport } from "@nido/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { FindingList } from "../ui/FindingList.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";

/** What was noticed before a deploy was published. */
export function FindingsDialog({ deploy, onClose }: { deploy: Deploy; onClose(): void }) {
  const { t } = useTranslation();
  const path = serverPaths.publishReport(deploy.id);
  const call = useCall(useCallback((signal) => api<SiteReport>(path, { signal }), [path]));
  return (
    <Dialog
      title={t("project.deploys.findings", { count: deploy.findings })}
      note={t("project.deploys.findingsNote")}
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
      {call.status === "done" && <FindingList report={call.answer} />}
    </Dialog>
  );
}
