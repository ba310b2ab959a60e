import type { Project, Subscription, SubscriptionCards } from "@nido/contract";
import { Package } from "lucide-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { api } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { formatSeconds } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { paths, serverPaths } from "../paths.ts";
import { useProjects, useSubscriptions, useUser } from "../state/store.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";

import { StatusDot } from "../ui/StatusDot.tsx";
import { PortalButton } from "./PortalButton.tsx";

const loadCards = (signal: AbortSignal) => api<SubscriptionCards>(serverPaths.cards, { signal });

export function ProductsTab() {
  const { t } = useTranslation();
  const user = useUser();
  const projects = Object.values(useProjects());
  const subscriptions = Object.values(useSubscriptions());
  const cards = useCall(loadCards);
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
      <div className="grid grid-cols-1 gap-4 md:grid-cols-2 2xl:grid-cols-3">
        {subscriptions.map((subscription) => (
          <Product
            key={subscription.id}
            subscription={subscription}
            project={projects.find(({ sub_id }) => sub_id === subscription.id)}
            holder={holder}
            card={cards.status === "done" ? cards.answer[subscription.id] : undefined}
          />
        ))}
      </div>
    </>
  );
}

interface Props {
  subscription: Subscription;
  project: Project | undefined;
  holder: string;
  card: SubscriptionCards[string] | undefined;
}

/** A subscription on one card: project and plan, price, renewal, and the card it is charged to. */
function Product({ subscription, project, holder, card }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { created, current_period_start, current_period_end, plan, past_due, cancel_at_period_end } = subscription;
  const amount = formatMoney(plan.amount, plan.currency, lang);
  return (
    <section className="rounded-card border border-line bg-surface p-5">
      <div className="mb-4 flex flex-wrap items-start justify-between gap-3">
        <div className="min-w-0">
          <h2 className="text-section font-[640] break-words">
            {project ? (
              <Link to={paths.project(project.id)} className="hover:underline">
                {project.name}
              </Link>
            ) : (
              t("products.noProject")
            )}
          </h2>
        </div>
        <StatusDot state={past_due ? "bad" : cancel_at_period_end ? "waiting" : "good"}>
          {t(`products.state.${past_due ? "owed" : cancel_at_period_end ? "ending" : "renewing"}`)}
        </StatusDot>
      </div>
      {past_due && <p className="mb-3 text-small text-red">{t("products.pastDue")}</p>}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-small">
        <Fact label={t("products.plan")}>{project ? t(`recipes.${project.recipe}`) : t("common.unset")}</Fact>
        <Fact label={t("products.holder")}>{holder}</Fact>
        <Fact label={t("products.price")}>{t("products.withoutVat", { amount })}</Fact>
        <Fact label={t("products.period")}>{t(`products.${plan.interval}`)}</Fact>
        <Fact label={t("products.started")}>{formatSeconds(created, lang)}</Fact>
        <Fact label={t("products.lastBilling")}>{formatSeconds(current_period_start, lang)}</Fact>
        <Fact label={t(cancel_at_period_end ? "products.ends" : "products.nextBilling")}>
          {formatSeconds(current_period_end, lang)}
        </Fact>
        <Fact label={t("products.card")}>
          {card ? `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} •••• ${card.last4}` : t("common.unset")}
        </Fact>
      </dl>
    </section>
  );
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </>
  );
}
