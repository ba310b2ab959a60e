import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function DeleteProjectScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("projects.deleteTitle")}
      intro={t("projects.chooseFirst")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
