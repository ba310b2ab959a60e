import type { Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { useSubscriptions } from "../state/store.ts";

export interface Trouble {
  id: string;
  isUrgent: boolean;
  text: string;
  /** where the customer can do something about it */
  to: string;
}

/** What the owner of a project should know: a failing domain, a subscription that ends or is owed. */
export function useTroubles(project: Project): Trouble[] {
  const { t } = useTranslation();
  const subscription = useSubscriptions()[project.sub_id];
  const products = paths.settingsTab("products");
  const failing = Object.entries(project.domains).filter(([, { status }]) => status === "failing");
  return [
    ...failing.map(([id, { name }]) => ({
      id,
      isUrgent: true,
      text: t("projects.domainFailing", { domain: name }),
      to: paths.projectTab(project.id, "configuration"),
    })),
    ...(subscription?.past_due ? [{ id: "owed", isUrgent: true, text: t("projects.pastDue"), to: products }] : []),
    ...(subscription?.cancel_at_period_end
      ? [
          {
            id: "ending",
            isUrgent: false,
            text: t("projects.ending", { date: formatSeconds(subscription.current_period_end, currentLanguage()) }),
            to: products,
          },
        ]
      : []),
  ];
}
