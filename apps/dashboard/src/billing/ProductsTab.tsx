import { Package } from "lucide-react";
import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

export function ProductsTab() {
  const { t } = useTranslation();
  const create = <ButtonLink to={paths.selectCategory}>{t("projects.create")}</ButtonLink>;
  return (
    <EmptyState icon={Package} title={t("settings.productsEmptyTitle")} action={create}>
      {t("settings.productsEmptyText")}
    </EmptyState>
  );
}
