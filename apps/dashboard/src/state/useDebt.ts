import type { Project, Subscription } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useSettings } from "./store.ts";

const dayMs = 24 * 60 * 60 * 1000;

export interface Debt {
  text: string;
  /** what the customer can do about it, on the provider's page of the invoice; absent if that is nothing */
  action?: string;
}

/** What happens, and when, because a payment has failed, waits for a confirmation or is disputed; undefined if none is. */
export function useDebt(subscription: Subscription | undefined, project: Project | undefined): Debt | undefined {
  const { t } = useTranslation();
  const { grace_days: graceDays } = useSettings();
  if (subscription?.dispute) return { text: t(`debt.dispute.${subscription.dispute}`) };
  if (!subscription?.past_due_since) return undefined;
  const suspension = Date.parse(subscription.past_due_since) + graceDays * dayMs;
  const isSuspended = project?.status === "suspended";
  const isDue = isSuspended || suspension < Date.now();
  const date = formatDate(new Date(suspension).toISOString(), currentLanguage());
  if (subscription.payment_step === "processing")
    return { text: t(isSuspended ? "debt.processingSuspended" : "debt.processing") };
  if (subscription.payment_step === "confirm")
    return {
      text: isDue ? t("debt.confirmSuspended") : t("debt.confirmSuspends", { date }),
      action: t("debt.confirm"),
    };
  return { text: isDue ? t("debt.suspended") : t("debt.suspends", { date }), action: t("debt.pay") };
}
