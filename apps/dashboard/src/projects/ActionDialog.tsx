import type { ActionName, ActionPayloads } from "@nido/contract";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { ConfirmDialog } from "../ui/ConfirmDialog.tsx";

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
export function ActionDialog<Name extends ActionName>({ action, payload, onClose, ...look }: Props<Name>) {
  const errorText = useErrorText();
  const remote = useAction(action);
  useWhenDone(remote, onClose);

  function cancel() {
    remote.reset();
    onClose();
  }

  return (
    <ConfirmDialog
      {...look}
      isBusy={remote.inProgress}
      error={remote.error ? errorText(remote.error.error) : undefined}
      onConfirm={() => remote.trigger(payload)}
      onClose={cancel}
    />
  );
}
