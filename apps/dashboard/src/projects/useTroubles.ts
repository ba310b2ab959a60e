import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths, serverPaths } from "../paths.ts";
import { useSubscriptions } from "../state/store.ts";
import { useDebt } from "../state/useDebt.ts";

export interface Trouble {
  id: string;
  isUrgent: boolean;
  text: string;
  /** the screen on which the customer can do something about it */
  to?: string;
  /** the provider's page on which they can, in a new tab */
  href?: string;
  /** what they do there */
  action?: string;
}

/** What the owner of a project should know: a failing domain, a subscription that ends, is owed or disputed. */
export function useTroubles(project: Project): Trouble[] {
  const { t } = useTranslation();
  const subscription = useSubscriptions()[project.sub_id];
  const debt = useDebtTrouble(project);
  const failing = Object.entries(project.domains).filter(([, { status }]) => status === "failing");
  return [
    ...failing.map(([id, { name }]) => ({
      id,
      isUrgent: true,
      text: t("projects.domainFailing", { domain: name }),
      to: paths.projectTab(project.id, "configuration"),
    })),
    ...(debt ? [debt] : []),
    ...(subscription?.cancel_at_period_end
      ? [
          {
            id: "ending",
            isUrgent: false,
            text: t("projects.ending", { date: formatSeconds(subscription.current_period_end, currentLanguage()) }),
            to: paths.settingsTab("products"),
          },
        ]
      : []),
  ];
}

/** A payment that is owed or disputed, with the page on which something can be done about it. */
export function useDebtTrouble(project: Project): Trouble | undefined {
  const subscription = useSubscriptions()[project.sub_id];
  const debt = useDebt(subscription, project);
  if (!debt) return undefined;
  const { text, action } = debt;
  if (subscription?.dispute) return { id: "disputed", isUrgent: true, text, to: paths.settingsTab("products") };
  const href = serverPaths.receipt(project.id);
  return { id: "owed", isUrgent: action !== undefined, text, href, ...(action && { action }) };
}
