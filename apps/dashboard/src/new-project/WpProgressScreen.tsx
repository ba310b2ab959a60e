import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function WpProgressScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("newProject.progressTitle")}
      intro={t("newProject.progressNone")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
