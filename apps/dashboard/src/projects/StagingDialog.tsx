import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

interface Props {
  project: Project;
  action: "renew" | "remove";
  onClose(): void;
}

/** Asks before a staging copy is lost. */
export function StagingDialog({ project, action, onClose }: Props) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onClose);
  const done = action === "renew" ? t("project.staging.started") : t("project.staging.removed");
  const init = action === "renew" ? post({}) : { method: "DELETE" };
  const confirm = () => run(action, () => api(serverPaths.staging(project.id), init), done);
  return (
    <Dialog
      title={t(`project.staging.${action}`)}
      note={t(`project.staging.${action}Ask`)}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look={action === "renew" ? "primary" : "danger"} busy={busy !== undefined} onClick={confirm}>
          {t(`project.staging.${action}`)}
        </Button>
      </div>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </Dialog>
  );
}
