import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

/** The success pages, opened without a purchase. */
export function NoPurchase() {
  const { t } = useTranslation();
  return (
    <Page
      title={t("newProject.noPurchaseTitle")}
      intro={t("newProject.noPurchaseText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <ButtonLink look="primary" to={paths.selectCategory}>
        {t("projects.create")}
      </ButtonLink>
    </Page>
  );
}
