import { codeLength } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { Field } from "../ui/Field.tsx";
import { Notice } from "../ui/Notice.tsx";

/** Asks for the code that was sent, and goes on to where the visitor was. */
export function ConfirmCode({ onOtherEmail }: { onOtherEmail(): void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState<"confirm" | "resend">();
  const [fault, setFault] = useState<string>();
  const [isResent, setIsResent] = useState(false);

  async function run(what: "confirm" | "resend", call: () => Promise<unknown>) {
    setBusy(what);
    setFault(undefined);
    setIsResent(false);
    try {
      await call();
      setIsResent(what === "resend");
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
    }
    setBusy(undefined);
  }

  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    void run("confirm", async () => {
      const { redirect } = await api<{ redirect: string }>(serverPaths.confirmSignUp, post({ code }));
      location.assign(redirect);
    });
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={t("signUp.code")}
        name="code"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={codeLength + 2}
        large
        autoFocus
        error={fault}
      />
      <Button type="submit" look="primary" busy={busy === "confirm"} disabled={busy !== undefined}>
        {t(busy === "confirm" ? "signUp.confirming" : "signUp.confirm")}
      </Button>
      <div className="flex flex-wrap gap-3">
        <Button
          size="small"
          busy={busy === "resend"}
          disabled={busy !== undefined}
          onClick={() => run("resend", () => api(serverPaths.resendSignUp, post({})))}
        >
          {t("signUp.resend")}
        </Button>
        <Button size="small" onClick={onOtherEmail}>
          {t("signUp.otherEmail")}
        </Button>
      </div>
      <p className="text-small text-ink-3">{t("signUp.spam")}</p>
      {isResent && <Notice>{t("signUp.resent")}</Notice>}
    </form>
  );
}
