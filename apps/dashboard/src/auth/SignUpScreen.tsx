import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { serverPaths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { AuthCard } from "./AuthCard.tsx";
import { ConfirmCode } from "./ConfirmCode.tsx";
import { ConfirmLink } from "./ConfirmLink.tsx";
import { GoogleButton } from "./GoogleButton.tsx";
import { Or } from "./Or.tsx";
import { SignUpForm } from "./SignUpForm.tsx";

/** Creates an account: address and password, then the code or the link from the message. */
export function SignUpScreen() {
  const { t } = useTranslation();
  const { google } = useSettings();
  const [query] = useSearchParams();
  const [sentTo, setSentTo] = useState<string>();
  const token = query.get("token");
  if (token)
    return (
      <AuthCard title={t("signUp.linkTitle")}>
        <ConfirmLink token={token} />
      </AuthCard>
    );
  if (sentTo)
    return (
      <AuthCard title={t("signUp.codeTitle")} intro={t("signUp.codeIntro", { email: sentTo })}>
        <ConfirmCode onOtherEmail={() => setSentTo(undefined)} />
      </AuthCard>
    );
  const redirect = ownPath(query.get("redirect"));
  return (
    <AuthCard title={t("signUp.title")} intro={t("signUp.intro")}>
      {google && (
        <>
          <GoogleButton path={serverPaths.google} redirect={redirect} />
          <Or>{t("login.or")}</Or>
        </>
      )}
      <SignUpForm redirect={redirect} onSent={setSentTo} />
    </AuthCard>
  );
}

/** Only a path of ours: the parameter may come from anybody. */
function ownPath(path: string | null): string {
  return path && /^\/(?![/\\])/.test(path) ? path : "/";
}
