import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function PurchaseScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("newProject.purchaseTitle")}
      intro={t("newProject.purchaseSoon")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
