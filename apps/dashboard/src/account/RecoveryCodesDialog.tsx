import { useTranslation } from "react-i18next";
import { useSettings } from "../state/store.ts";
import { Button, ButtonAnchor } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";

/** Shows new recovery codes, once. */
export function RecoveryCodesDialog({ codes, onClose }: { codes: string[]; onClose(): void }) {
  const { t } = useTranslation();
  const { brand } = useSettings();
  const file = `data:text/plain;charset=utf-8,${encodeURIComponent(`${codes.join("\n")}\n`)}`;
  return (
    <Dialog
      title={t("security.recoveryTitle")}
      note={t("security.recoveryNote")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <ul className="grid gap-2 rounded-control border border-line bg-sunken p-4 font-mono text-[0.8125rem] sm:grid-cols-2">
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ul>
      <div className="mt-5 flex flex-wrap justify-end gap-3">
        <ButtonAnchor href={file} download={`${brand}.txt`}>
          {t("security.recoveryDownload")}
        </ButtonAnchor>
        <Button look="primary" onClick={onClose}>
          {t("security.recoveryDone")}
        </Button>
      </div>
    </Dialog>
  );
}
