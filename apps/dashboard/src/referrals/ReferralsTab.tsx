import { Gift } from "lucide-react";
import { useTranslation } from "react-i18next";
import { EmptyState } from "../ui/EmptyState.tsx";

export function ReferralsTab() {
  const { t } = useTranslation();
  return (
    <EmptyState icon={Gift} title={t("settings.referralsEmptyTitle")}>
      {t("settings.referralsEmptyText")}
    </EmptyState>
  );
}
