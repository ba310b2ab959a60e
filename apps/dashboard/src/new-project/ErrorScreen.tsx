import { type ErrorKey, isErrorKey } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { ButtonAnchor, ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

const ofPromotion = ["error_promotion_already_used", "error_promotion_own", "error_promotion_unknown"];
const ofTheMoment = ["error_checkout_limit", "error_network", "error_payment_unavailable", "error_too_many_requests"];

/** Where a purchase that cannot go on ends, with the way on from there; titled for the promotional code where that is why. */
export function ErrorScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const { support_email: email } = useSettings();
  const reason = query.get("reason");
  const key = isErrorKey(reason) ? reason : undefined;
  const texts: Partial<Record<ErrorKey, string>> = { error_unknown: t("newProject.errorUnknown") };
  const isPromotion = key !== undefined && ofPromotion.includes(key);
  return (
    <Page
      title={t(isPromotion ? "newProject.errorReferral" : "newProject.errorTitle")}
      intro={key ? (texts[key] ?? t(`errors.${key}`)) : t("newProject.errorText")}
      back={{ to: paths.projects, label: t("projects.backToProjects") }}
    >
      <div className="flex flex-wrap gap-3">
        {isPromotion && (
          <ButtonLink look="primary" to={`${paths.purchase}?${without(query, "promo")}`}>
            {t("newProject.withoutPromotion")}
          </ButtonLink>
        )}
        {key && ofTheMoment.includes(key) && (
          <ButtonLink look="primary" to={`${paths.purchase}?${without(query)}`}>
            {t("common.retry")}
          </ButtonLink>
        )}
        {key === "error_plan_not_found" && (
          <ButtonLink look="primary" to={`${paths.newProject}?${without(query, "plan")}`}>
            {t("newProject.otherPlan")}
          </ButtonLink>
        )}
        <ButtonAnchor href={`mailto:${email}`}>{t("newProject.contact")}</ButtonAnchor>
      </div>
    </Page>
  );
}

/** What was chosen so far, but for one thing. */
function without(query: URLSearchParams, name?: string): URLSearchParams {
  const rest = new URLSearchParams(query);
  rest.delete("reason");
  if (name) rest.delete(name);
  return rest;
}
