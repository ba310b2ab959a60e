import { type Backup, type Project, type RestoreParts, restoreParts, undoDays } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

/** Asks what of a backup is restored. */
export function RestoreDialog({ project, backup, onClose }: { project: Project; backup: Backup; onClose(): void }) {
  const { t } = useTranslation();
  const [parts, setParts] = useState<RestoreParts>("all");
  const { busy, fault, run } = useChange(onClose);
  const path = serverPaths.restore(project.id, backup.name);
  const restore = () => run("restore", () => api(path, post({ parts })), t("project.backups.restoreStarted"));
  return (
    <Dialog
      title={t("project.backups.restore")}
      note={t("project.backups.restoreAsk", {
        date: formatDateTime(backup.created_at, currentLanguage()),
        days: undoDays,
      })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <fieldset className="mb-5">
        <legend className="mb-1.5 font-[560]">{t("project.backups.what")}</legend>
        {restoreParts.map((part) => (
          <label key={part} className="flex items-baseline gap-2 py-1">
            <input
              type="radio"
              name="parts"
              className="accent-brand"
              checked={parts === part}
              onChange={() => setParts(part)}
            />
            {t(`project.backups.parts.${part}`)}
          </label>
        ))}
      </fieldset>
      <div className="flex justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        <Button look="primary" busy={busy !== undefined} onClick={restore}>
          {t("project.backups.restore")}
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
