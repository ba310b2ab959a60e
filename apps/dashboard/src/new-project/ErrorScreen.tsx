import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { paths } from "../app/paths.ts";
import { useSettings } from "../app/store.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

/** Where a purchase that cannot go on ends; titled for the promotional code where that is why. */
export function ErrorScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const { support_email: email } = useSettings();
  const reason = query.get("reason");
  const isPromotion = reason === "error_promotion_already_used";
  const texts = {
    error_promotion_already_used: t("errors.error_promotion_already_used"),
    error_unknown: t("newProject.errorUnknown"),
  };
  return (
    <Page
      title={t(isPromotion ? "newProject.errorReferral" : "newProject.errorTitle")}
      intro={texts[reason as keyof typeof texts] ?? t("newProject.errorText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <ButtonAnchor href={`mailto:${email}`}>{t("newProject.contact")}</ButtonAnchor>
    </Page>
  );
}
