import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { paths } from "../app/paths.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";

export function PlansScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  const nameStep = query.get("category") === "static" ? paths.staticName : paths.wpName;
  return (
    <Page
      title={t("newProject.plansTitle")}
      intro={t("newProject.plansSoon")}
      back={{ to: `${paths.selectCategory}?${query}`, label: t("common.back") }}
    >
      <ButtonLink to={`${nameStep}?${query}`}>{t("newProject.nameSite")}</ButtonLink>
    </Page>
  );
}
