import { Trans, useTranslation } from "react-i18next";
import { Link } from "react-router";
import { paths, serverPaths } from "../paths.ts";
import { linkLook, SignInCard } from "./SignInCard.tsx";

export function SignInScreen() {
  const { t } = useTranslation();
  const createSite = (
    <p className="mt-2 text-ink-2">
      <Trans
        i18nKey="login.createSite"
        components={{ action: <Link to={paths.selectCategory} className={linkLook} /> }}
      />
    </p>
  );
  return (
    <SignInCard title={t("login.title")} intro={t("login.intro")} googlePath={serverPaths.google} footer={createSite} />
  );
}

export function PurchaseSignInScreen() {
  const { t } = useTranslation();
  return (
    <SignInCard
      title={t("login.purchaseTitle")}
      intro={t("login.purchaseIntro")}
      googlePath={serverPaths.google}
      isForNewcomers
    />
  );
}

export function CliSignInScreen() {
  const { t } = useTranslation();
  return <SignInCard title={t("login.cliTitle")} intro={t("login.cliIntro")} googlePath={serverPaths.googleCli} />;
}
