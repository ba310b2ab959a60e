import { changeEmailSchema, codeLength, type ErrorKey, emailMaxLength } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { withProof } from "../state/proof.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import type { EditorProps } from "./Editor.tsx";

/** Changes the e-mail address: the new one, then the code that was sent to it. */
export function EmailEditor({ onClose }: EditorProps) {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<ErrorKey>();

  async function run(call: () => Promise<void>) {
    setIsBusy(true);
    setFault(undefined);
    try {
      await call();
    } catch (error) {
      setFault(error instanceof ApiError ? error.key : "error_network");
    }
    setIsBusy(false);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const text = String(new FormData(event.currentTarget).get("text")).trim();
    if (sentTo)
      return run(async () => {
        await api(serverPaths.confirmEmail, post({ code: text }));
        onClose();
      });
    if (!changeEmailSchema.safeParse({ email: text }).success) return setFault("error_email_invalid");
    return run(async () => {
      await withProof(() => api(serverPaths.email, post({ email: text })));
      setSentTo(text);
    });
  }

  const field = sentTo
    ? {
        label: t("signUp.code"),
        inputMode: "numeric" as const,
        autoComplete: "one-time-code",
        maxLength: codeLength + 2,
      }
    : { label: t("security.emailNew"), type: "email", autoComplete: "email", maxLength: emailMaxLength };
  return (
    <Dialog
      title={t("security.emailChange")}
      note={sentTo ? t("security.emailCodeNote", { email: sentTo }) : t("security.emailNote")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <Field key={field.label} name="text" error={fault && t(`errors.${fault}`)} {...field} />
        <div className="mt-2 flex justify-end gap-3">
          <Button disabled={isBusy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t(sentTo ? "signUp.confirm" : "common.continue")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
