import { type ErrorKey, emailMaxLength, passwordFault, passwordMaxLength, resetSchema } from "@nido/contract";
import { type FormEvent, useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { ApiError, api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths, serverPaths } from "../paths.ts";
import { Button, ButtonLink } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { AuthCard } from "./AuthCard.tsx";
import { PasswordRules } from "./PasswordRules.tsx";

/** Asks for a link by mail; with the link, for the new password. */
export function ResetScreen() {
  const [query] = useSearchParams();
  const token = query.get("token");
  return token ? <NewPassword token={token} /> : <RequestLink />;
}

function RequestLink() {
  const { t } = useTranslation();
  const [sentTo, setSentTo] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<ErrorKey>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const email = String(new FormData(event.currentTarget).get("email")).trim();
    if (!resetSchema.shape.email.safeParse(email).success) return setFault("error_email_invalid");
    setIsBusy(true);
    setFault(undefined);
    try {
      await api(serverPaths.reset, post({ email, lang: currentLanguage() }));
      setSentTo(email);
    } catch (error) {
      setFault(error instanceof ApiError ? error.key : "error_network");
    }
    setIsBusy(false);
  }

  if (sentTo)
    return (
      <AuthCard title={t("reset.sentTitle")} intro={t("reset.sentText", { email: sentTo })}>
        <p className="mb-5 text-small text-ink-3">{t("signUp.spam")}</p>
        <ButtonLink to={paths.login}>{t("reset.toLogin")}</ButtonLink>
      </AuthCard>
    );
  return (
    <AuthCard title={t("reset.title")} intro={t("reset.intro")}>
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <Field
          label={t("login.email")}
          name="email"
          type="email"
          autoComplete="username"
          maxLength={emailMaxLength}
          error={fault && t(`errors.${fault}`)}
        />
        <Button type="submit" look="primary" busy={isBusy}>
          {t(isBusy ? "reset.submitting" : "reset.submit")}
        </Button>
      </form>
    </AuthCard>
  );
}

function NewPassword({ token }: { token: string }) {
  const { t } = useTranslation();
  const check = useCall(useCallback((signal) => api(serverPaths.checkReset, { ...post({ token }), signal }), [token]));
  const [isDone, setIsDone] = useState(false);
  if (isDone)
    return (
      <AuthCard title={t("reset.doneTitle")} intro={t("reset.doneText")}>
        <ButtonLink look="primary" to={paths.login} reloadDocument>
          {t("reset.toLogin")}
        </ButtonLink>
      </AuthCard>
    );
  return (
    <AuthCard title={t("reset.chooseTitle")} intro={t("reset.chooseIntro")}>
      {check.status === "loading" && <Skeleton count={1} className="h-40" />}
      {check.status === "failed" && (
        <div className="flex flex-col items-start gap-4">
          <ErrorBox>{t("errors.error_link_invalid")}</ErrorBox>
          <ButtonLink to={paths.reset}>{t("reset.again")}</ButtonLink>
        </div>
      )}
      {check.status === "done" && <NewPasswordForm token={token} onDone={() => setIsDone(true)} />}
    </AuthCard>
  );
}

function NewPasswordForm({ token, onDone }: { token: string; onDone(): void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<ErrorKey>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    const weakness = passwordFault(password);
    setFault(weakness);
    if (weakness) return;
    setIsBusy(true);
    try {
      await api(serverPaths.finishReset, post({ token, password }));
      onDone();
    } catch (error) {
      setFault(error instanceof ApiError ? error.key : "error_network");
      setIsBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={t("settings.newPassword")}
        type="password"
        autoComplete="new-password"
        maxLength={passwordMaxLength}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={fault && t(`errors.${fault}`)}
      />
      <PasswordRules password={password} />
      <Button type="submit" look="primary" busy={isBusy}>
        {t(isBusy ? "reset.saving" : "reset.save")}
      </Button>
    </form>
  );
}
