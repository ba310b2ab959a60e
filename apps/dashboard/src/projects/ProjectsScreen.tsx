import { LayoutGrid, Plus } from "lucide-react";
import { useTranslation } from "react-i18next";
import { paths } from "../app/paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Page } from "../ui/Page.tsx";

export function ProjectsScreen() {
  const { t } = useTranslation();
  const create = (
    <ButtonLink look="primary" to={paths.selectCategory}>
      <Plus className="size-[18px]" aria-hidden="true" />
      {t("projects.create")}
    </ButtonLink>
  );
  return (
    <Page title={t("projects.title")} intro={t("projects.intro")}>
      <EmptyState icon={LayoutGrid} title={t("projects.emptyTitle")} action={create}>
        {t("projects.emptyText")}
      </EmptyState>
    </Page>
  );
}
