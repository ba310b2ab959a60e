import type { ActivityEntry } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatDate, formatDateTime } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";

/** Says in a sentence what happened. */
export function useSentence() {
  const { t } = useTranslation();
  const lang = currentLanguage();
  // The values of a key that is chosen at run time have no type.
  const say = (key: Parameters<typeof t>[0], values: object) => String(t(key as never, values as never));
  return ({ kind, params }: ActivityEntry): string => {
    if (kind === "detailsChanged") return t(`activity.details.${params.what}`);
    if (kind === "signInChanged") return t(`activity.signIn.${params.change}`);
    if (kind === "projectSuspended") return say(`activity.suspended.${params.why}`, params);
    if (kind === "maintenanceChanged") return say(`activity.maintenance.${params.on ? "on" : "off"}`, params);
    if (kind === "listingChanged") return say(`activity.listing.${params.on ? "on" : "off"}`, params);
    if (kind === "debugChanged") return say(`activity.debug.${params.on ? "on" : "off"}`, params);
    if (kind === "majorsChanged") return say(`activity.majors.${params.on ? "on" : "off"}`, params);
    if (kind === "hstsChanged") return say(`activity.hsts.${params.on ? "on" : "off"}`, params);
    if (kind === "sitePasswordChanged")
      return say(`activity.sitePassword.${params.branch ? "branch" : "site"}${params.on ? "On" : "Off"}`, params);
    if (kind === "sessionEnded")
      return t("activity.kinds.sessionEnded", { device: params.device || t("activity.unknownDevice") });
    return say(`activity.kinds.${kind}`, {
      ...params,
      ...("recipe" in params && { recipe: t(`recipes.${params.recipe}`) }),
      ...("interval" in params && { interval: t(`activity.interval.${params.interval}`) }),
      ...("until" in params && { until: formatDate(params.until, lang) }),
      ...("date" in params && { date: formatDateTime(params.date, lang) }),
      ...("amount" in params && { amount: formatMoney(params.amount, params.currency, lang) }),
    });
  };
}
