import { zodResolver } from "@hookform/resolvers/zod";
import {
  type ActionName,
  type ActionPayloads,
  actionSchemas,
  type ErrorKey,
  isErrorKey,
  type User,
} from "@nido/contract";
import type { ReactNode } from "react";
import { type DefaultValues, type FieldErrors, type Resolver, type UseFormRegister, useForm } from "react-hook-form";
import { useTranslation } from "react-i18next";
import { useAction } from "../state/store.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { useWhenDone } from "../state/useWhenDone.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

export interface EditorProps {
  user: User;
  onClose(): void;
}

interface Props<Name extends ActionName> {
  action: Name;
  title: string;
  note?: string;
  values: DefaultValues<ActionPayloads[Name]>;
  onClose(): void;
  onDone?(): void;
  /** the fields that errors of the server belong to */
  fieldOf?: Partial<Record<ErrorKey, keyof ActionPayloads[Name]>>;
  /** Renders the fields. `errorOf` returns the translated error of a field. */
  children(
    register: UseFormRegister<ActionPayloads[Name]>,
    errorOf: (field: keyof ActionPayloads[Name]) => string | undefined,
  ): ReactNode;
}

/** A form in a dialog for one remote action. It validates with the shared schema and closes on success. */
export function Editor<Name extends ActionName>({
  action,
  title,
  note,
  values,
  onClose,
  onDone,
  fieldOf = {},
  children,
}: Props<Name>) {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const progress = useAction(action);
  const { trigger, inProgress, error, reset } = progress;
  const { register, handleSubmit, formState } = useForm<ActionPayloads[Name]>({
    defaultValues: values,
    resolver: zodResolver(actionSchemas[action] as never) as Resolver<ActionPayloads[Name]>,
  });

  useWhenDone(progress, () => {
    onDone?.();
    onClose();
  });

  function close() {
    if (inProgress) return; // The customer must see the result.
    reset();
    onClose();
  }

  const errors: FieldErrors = formState.errors;
  const refused = isErrorKey(error?.error) ? error.error : undefined;
  const refusedField = refused && fieldOf[refused];
  const errorOf = (field: keyof ActionPayloads[Name]) => {
    const message = errors[field as string]?.message ?? (field === refusedField ? refused : undefined);
    return isErrorKey(message) ? t(`errors.${message}`) : undefined;
  };

  return (
    <Dialog title={title} note={note} closeLabel={t("common.close")} onClose={close}>
      <form
        noValidate
        onSubmit={handleSubmit((payload) => trigger(payload as ActionPayloads[Name]))}
        className="flex flex-col gap-2"
      >
        {children(register, errorOf)}
        <div className="mt-2 flex justify-end gap-3">
          <Button disabled={inProgress} onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={inProgress}>
            {t(inProgress ? "common.saving" : "common.save")}
          </Button>
        </div>
        {error && !refusedField && <ErrorBox>{errorText(error.error)}</ErrorBox>}
      </form>
    </Dialog>
  );
}
