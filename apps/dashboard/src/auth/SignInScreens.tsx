import { useTranslation } from "react-i18next";
import { serverPaths } from "../paths.ts";
import { SignInCard } from "./SignInCard.tsx";

export function SignInScreen() {
  const { t } = useTranslation();
  return <SignInCard title={t("login.title")} intro={t("login.intro")} googlePath={serverPaths.google} />;
}

export function PurchaseSignInScreen() {
  const { t } = useTranslation();
  return (
    <SignInCard title={t("login.purchaseTitle")} intro={t("login.purchaseIntro")} googlePath={serverPaths.google} />
  );
}

export function CliSignInScreen() {
  const { t } = useTranslation();
  return <SignInCard title={t("login.cliTitle")} intro={t("login.cliIntro")} googlePath={serverPaths.googleCli} />;
}
