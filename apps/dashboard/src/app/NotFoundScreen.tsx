import { useTranslation } from "react-i18next";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";
import { paths } from "./paths.ts";

export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <Page title={t("notFound.title")} intro={t("notFound.text")}>
      <ButtonLink to={paths.projects}>{t("notFound.home")}</ButtonLink>
    </Page>
  );
}
