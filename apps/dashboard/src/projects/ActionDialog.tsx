import type { ActionName, ActionPayloads } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

interface Props<Name extends ActionName> {
  action: Name;
  payload: ActionPayloads[Name];
  /** also the label of the button that confirms */
  title: string;
  note: string;
  look?: "primary" | "danger";
  onClose(): void;
}

/** Asks before a remote action, shows its error, and closes when it is done. */
export function ActionDialog<Name extends ActionName>({
  action,
  payload,
  title,
  note,
  look = "primary",
  onClose,
}: Props<Name>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const remote = useAction(action);
  useWhenDone(remote, onClose);

  function cancel() {
    remote.reset();
    onClose();
  }

  return (
    <Dialog title={title} note={note} closeLabel={t("common.close")} onClose={cancel}>
      <div className="flex justify-end gap-3">
        <Button onClick={cancel}>{t("common.cancel")}</Button>
        <Button look={look} busy={remote.inProgress} onClick={() => remote.trigger(payload)}>
          {title}
        </Button>
      </div>
      {remote.error && (
        <div className="mt-4">
          <ErrorBox>{errorText(remote.error.error)}</ErrorBox>
        </div>
      )}
    </Dialog>
  );
}
