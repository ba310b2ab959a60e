import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

/** No customer has projects yet, so every address of one leads to nothing. */
export function ProjectScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("projects.notFoundTitle")}
      intro={t("projects.notFoundText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
