import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function StaticSuccessScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("newProject.staticSuccessTitle")}
      intro={t("newProject.staticSuccessText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
