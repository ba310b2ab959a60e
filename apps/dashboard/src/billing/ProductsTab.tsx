import type { Project, Subscription } from "@nido/contract";
import { Package } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { paths } from "../paths.ts";
import { useProjects, useSubscriptions, useUser } from "../state/store.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { PortalButton } from "./PortalButton.tsx";

export function ProductsTab() {
  const { t } = useTranslation();
  const user = useUser();
  const projects = Object.values(useProjects());
  const subscriptions = Object.values(useSubscriptions());
  if (subscriptions.length === 0) {
    const create = <ButtonLink to={paths.selectCategory}>{t("projects.create")}</ButtonLink>;
    return (
      <>
        <PortalButton />
        <EmptyState icon={Package} title={t("settings.productsEmptyTitle")} action={create}>
          {t("settings.productsEmptyText")}
        </EmptyState>
      </>
    );
  }

  const holder = user.company_name || `${user.given_name} ${user.family_name}`.trim() || user.email;
  return (
    <>
      <PortalButton />
      {subscriptions.map((subscription) => (
        <Product
          key={subscription.id}
          subscription={subscription}
          project={projects.find(({ sub_id }) => sub_id === subscription.id)}
          holder={holder}
        />
      ))}
    </>
  );
}

interface Props {
  subscription: Subscription;
  project: Project | undefined;
  holder: string;
}

function Product({ subscription, project, holder }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { created, current_period_start, current_period_end, plan, past_due, cancel_at_period_end } = subscription;
  const amount = formatMoney(plan.amount, plan.currency, lang);
  return (
    <Rows title={project?.name ?? t("products.noProject")}>
      {past_due && (
        <Row label={t("products.payment")}>
          <span className="text-red">{t("products.pastDue")}</span>
        </Row>
      )}
      <Row label={t("products.plan")}>{project ? recipeLook(project.recipe).label : t("common.unset")}</Row>
      <Row label={t("products.holder")}>{holder}</Row>
      <Row label={t("products.price")}>{t("products.withoutVat", { amount })}</Row>
      <Row label={t("products.started")}>{formatSeconds(created, lang)}</Row>
      <Row label={t("products.lastBilling")}>{formatSeconds(current_period_start, lang)}</Row>
      <Row label={t(cancel_at_period_end ? "products.ends" : "products.nextBilling")}>
        {formatSeconds(current_period_end, lang)}
      </Row>
      <Row label={t("products.period")}>{t(`products.${plan.interval}`)}</Row>
    </Rows>
  );
}
