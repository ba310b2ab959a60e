import type { ErrorKey } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { ButtonAnchor, ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

const promotionErrors = [
  "error_promotion_already_used",
  "error_promotion_ended",
  "error_promotion_first_only",
  "error_promotion_not_for_plan",
  "error_promotion_own",
  "error_promotion_unknown",
];
const planErrors = ["error_plan_currency", "error_plan_not_found", "error_promotion_not_for_plan"];
const temporaryErrors = [
  "error_checkout_limit",
  "error_network",
  "error_payment_unavailable",
  "error_too_many_requests",
  "error_trial_busy",
];

/** Why a purchase failed, with the next step that suits the reason. */
export function ErrorScreen() {
  const { t } = useTranslation();
  const draft = useCheckoutDraft();
  const { support_email: email } = useSettings();
  const key = draft.reason;
  const chosen = draft.without("reason");
  const texts: Partial<Record<ErrorKey, string>> = { error_unknown: t("newProject.errorUnknown") };
  const isPromotion = key !== undefined && promotionErrors.includes(key);
  return (
    <Page
      title={t(isPromotion ? "newProject.errorReferral" : "newProject.errorTitle")}
      intro={key ? (texts[key] ?? t(`errors.${key}`)) : t("newProject.errorText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <div className="flex flex-wrap gap-3">
        {isPromotion && (
          <ButtonLink look="primary" to={chosen.without("promo").pathTo("purchase")}>
            {t("newProject.withoutPromotion")}
          </ButtonLink>
        )}
        {key && temporaryErrors.includes(key) && (
          <ButtonLink look="primary" to={chosen.pathTo("purchase")}>
            {t("common.retry")}
          </ButtonLink>
        )}
        {key && planErrors.includes(key) && (
          <ButtonLink look={isPromotion ? "plain" : "primary"} to={chosen.without("plan").pathTo("newProject")}>
            {t("newProject.otherPlan")}
          </ButtonLink>
        )}
        <ButtonAnchor href={`mailto:${email}`}>{t("newProject.contact")}</ButtonAnchor>
      </div>
    </Page>
  );
}
