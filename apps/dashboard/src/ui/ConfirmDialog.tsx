import { useTranslation } from "react-i18next";
import { Button } from "./Button.tsx";
import { Dialog } from "./Dialog.tsx";
import { ErrorBox } from "./ErrorBox.tsx";

interface Props {
  /** also the label of the button that confirms */
  title: string;
  note: string;
  /** of the button that changes nothing */
  dismiss?: string;
  look?: "primary" | "danger";
  isBusy: boolean;
  error: string | undefined;
  onConfirm(): void;
  onClose(): void;
}

/** Asks before something is done, and shows why it failed. */
export function ConfirmDialog({ title, note, dismiss, look = "primary", isBusy, error, onConfirm, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <Dialog title={title} note={note} closeLabel={t("common.close")} onClose={onClose}>
      <div className="flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{dismiss ?? t("common.cancel")}</Button>
        <Button look={look} busy={isBusy} onClick={onConfirm}>
          {title}
        </Button>
      </div>
      {error && (
        <div className="mt-4">
          <ErrorBox>{error}</ErrorBox>
        </div>
      )}
    </Dialog>
  );
}
