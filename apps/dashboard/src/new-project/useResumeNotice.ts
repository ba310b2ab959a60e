import { useTranslation } from "react-i18next";
import type { CheckoutDraft } from "./CheckoutDraft.ts";

/** What became of the payment that the customer turned back from. */
export function useResumeNotice(draft: CheckoutDraft): string | undefined {
  const { t } = useTranslation();
  if (draft.isCancelled) return t("newProject.cancelled");
  return draft.isExpired ? t("newProject.expired") : undefined;
}
