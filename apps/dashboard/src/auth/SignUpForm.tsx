import { emailMaxLength, passwordFault, passwordMaxLength, signUpSchema } from "@nido/contract";
import { type FormEvent, useId, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import { ApiError, api, post } from "../api/api.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths, serverPaths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Field } from "../ui/Field.tsx";
import { Outside } from "./LegalNotice.tsx";
import { PasswordRules } from "./PasswordRules.tsx";

interface Props {
  /** where the visitor goes on afterwards */
  redirect: string;
  onSent(email: string): void;
}

export function SignUpForm({ redirect, onSent }: Props) {
  const { t } = useTranslation();
  const settings = useSettings();
  const accept = useId();
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [isAccepted, setIsAccepted] = useState(false);
  const [isChecked, setIsChecked] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  const isEmail = signUpSchema.shape.email.safeParse(email).success;
  const weakness = passwordFault(password);

  async function submit(event: FormEvent) {
    event.preventDefault();
    setIsChecked(true);
    setFault(undefined);
    if (!isEmail || weakness || !isAccepted) return;
    setIsBusy(true);
    try {
      await api(serverPaths.signUp, post({ email, password, lang: currentLanguage(), redirect }));
      onSent(email.trim());
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
      setIsBusy(false);
    }
  }

  return (
    <form noValidate onSubmit={submit} className="flex flex-col gap-2">
      <Field
        label={t("login.email")}
        type="email"
        autoComplete="username"
        maxLength={emailMaxLength}
        value={email}
        onChange={({ target }) => setEmail(target.value)}
        error={isChecked && !isEmail ? t(email === "" ? "login.enter_email" : "errors.error_email_invalid") : undefined}
      />
      <Field
        label={t("login.password")}
        type="password"
        autoComplete="new-password"
        maxLength={passwordMaxLength}
        value={password}
        onChange={({ target }) => setPassword(target.value)}
        error={isChecked && weakness ? t(`errors.${weakness}`) : undefined}
      />
      <PasswordRules password={password} />
      <div>
        <div className="flex items-start gap-2.5 text-small text-ink-2">
          <input
            id={accept}
            type="checkbox"
            checked={isAccepted}
            onChange={({ target }) => setIsAccepted(target.checked)}
            aria-describedby={`${accept}-note`}
            className="mt-0.5 size-4 accent-ink"
          />
          <label htmlFor={accept}>
            <Trans
              i18nKey="signUp.accept"
              components={{
                terms: <Outside href={settings.terms_url} />,
                privacy: <Outside href={settings.privacy_url} />,
              }}
            />
          </label>
        </div>
        <p id={`${accept}-note`} className="mt-1.5 min-h-[1lh] text-small text-red">
          {isChecked && !isAccepted && t("signUp.acceptNeeded")}
        </p>
      </div>
      <Button type="submit" look="primary" busy={isBusy}>
        {t(isBusy ? "signUp.submitting" : "signUp.submit")}
      </Button>
      <p className="mt-1 text-ink-2">
        <Trans
          i18nKey="signUp.haveAccount"
          components={{
            action: <Link to={signInAt(redirect)} className="font-[600] text-ink underline underline-offset-2" />,
          }}
        />
      </p>
      {fault && <ErrorBox>{fault}</ErrorBox>}
    </form>
  );
}

/** The sign-in is shown at the address that the visitor goes on to. */
function signInAt(redirect: string): string {
  return redirect === "/" ? paths.login : redirect;
}
