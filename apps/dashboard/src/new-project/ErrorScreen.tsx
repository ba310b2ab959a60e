import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { useSettings } from "../app/store.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

export function ErrorScreen() {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  return (
    <Page
      title={t("newProject.errorTitle")}
      intro={t("newProject.errorText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <ButtonAnchor href={`mailto:${email}`}>{t("newProject.contact")}</ButtonAnchor>
    </Page>
  );
}
