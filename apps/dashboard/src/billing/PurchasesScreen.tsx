import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

export function PurchasesScreen() {
  const { t } = useTranslation();
  return (
    <Page title={t("purchase.title")} intro={t("purchase.text")}>
      <ButtonLink to={paths.settingsTab("products")}>{t("purchase.link")}</ButtonLink>
    </Page>
  );
}
