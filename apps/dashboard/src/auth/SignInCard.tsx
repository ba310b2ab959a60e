import { isErrorKey } from "@nido/contract";
import { type ReactNode, useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { paths } from "../paths.ts";
import { useSettings, useWasEnded } from "../state/store.ts";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Notice } from "../ui/Notice.tsx";
import { AuthCard } from "./AuthCard.tsx";
import { GoogleButton } from "./GoogleButton.tsx";
import { LegalNotice } from "./LegalNotice.tsx";
import { Or } from "./Or.tsx";
import { PasskeySignIn } from "./PasskeySignIn.tsx";
import { PasswordForm } from "./PasswordForm.tsx";
import { SecondFactorForm } from "./SecondFactorForm.tsx";
import { withoutSignIn } from "./withoutSignIn.ts";

interface Props {
  title: string;
  intro: string;
  googlePath: string;
  footer?: ReactNode;
  /** Most visitors have no account yet: creating one comes first. */
  isForNewcomers?: boolean;
}

/** Sign-in by Google, passkey and password. All return to the current address. */
export function SignInCard({ title, intro, googlePath, footer, isForNewcomers = false }: Props) {
  const { t } = useTranslation();
  const { google, sign_up: canSignUp } = useSettings();
  const wasEnded = useWasEnded();
  const location = useLocation();
  const query = new URLSearchParams(location.search);
  const error = query.get("signin_error");
  const [isSecondStep, setIsSecondStep] = useState(query.has("second_factor"));
  if (isSecondStep)
    return (
      <AuthCard title={t("proof.secondTitle")} intro={t("proof.secondIntro")}>
        <SecondFactorForm onBack={() => setIsSecondStep(false)} />
      </AuthCard>
    );
  const signUp = `${paths.signUp}?${new URLSearchParams({ redirect: withoutSignIn(location) })}`;
  const signUpLine = canSignUp && (
    <p className={isForNewcomers ? "mb-5 rounded-control bg-sunken px-3.5 py-2.5" : "mt-5 text-ink-2"}>
      <Trans i18nKey="signUp.link" components={{ action: <Link to={signUp} className={linkLook} /> }} />
    </p>
  );
  return (
    <AuthCard title={title} intro={intro}>
      {wasEnded && (
        <div className="mb-5">
          <Notice>{t("login.ended")}</Notice>
        </div>
      )}
      {isErrorKey(error) && (
        <div className="mb-5">
          <ErrorBox>{t(`errors.${error}`)}</ErrorBox>
        </div>
      )}
      {isForNewcomers && signUpLine}
      <div className="flex flex-col gap-3">
        {google && <GoogleButton path={googlePath} />}
        <PasskeySignIn />
      </div>
      <Or>{t("login.or")}</Or>
      <PasswordForm onSecondStep={() => setIsSecondStep(true)} />
      {!isForNewcomers && signUpLine}
      {footer}
      <LegalNotice />
    </AuthCard>
  );
}

export const linkLook = "font-[600] text-ink underline underline-offset-2";
