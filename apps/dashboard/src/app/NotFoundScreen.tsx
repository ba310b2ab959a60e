import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

export function NotFoundScreen() {
  const { t } = useTranslation();
  return (
    <Page title={t("notFound.title")} intro={t("notFound.text")}>
      <ButtonLink to={paths.projects}>{t("notFound.home")}</ButtonLink>
    </Page>
  );
}
