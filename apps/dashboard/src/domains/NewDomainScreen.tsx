import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { Page } from "../ui/Page.tsx";

export function NewDomainScreen() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("domains.newTitle")}
      intro={t("domains.chooseFirst")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    />
  );
}
