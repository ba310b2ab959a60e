import { useTranslation } from "react-i18next";
import { usePurchases } from "../state/store.ts";
import { Notice } from "../ui/Notice.tsx";

/** The purchases whose payment takes days: their projects are not made yet. */
export function PendingPurchases() {
  const { t } = useTranslation();
  return usePurchases().map(({ name }) => (
    <div key={name} className="mb-6">
      <Notice>{t("projects.pending", { name })}</Notice>
    </div>
  ));
}
