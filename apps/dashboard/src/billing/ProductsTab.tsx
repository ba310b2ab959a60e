import type { NextInvoice, Project, Subscription, SubscriptionCards, UpcomingInvoices } from "@nido/contract";
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
import { useProjects, useSettings, useSubscriptions, useUser } from "../state/store.ts";
import { useDebt } from "../state/useDebt.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { EmptyState } from "../ui/EmptyState.tsx";
import { StatusDot } from "../ui/StatusDot.tsx";
import { Invoices } from "./Invoices.tsx";
import { PortalButton } from "./PortalButton.tsx";
import { Renewal } from "./Renewal.tsx";

const loadUpcoming = (signal: AbortSignal) => api<UpcomingInvoices>(serverPaths.upcoming, { signal });
const loadCards = (signal: AbortSignal) => api<SubscriptionCards>(serverPaths.cards, { signal });

export function ProductsTab() {
  const { t } = useTranslation();
  const user = useUser();
  const projects = Object.values(useProjects());
  const subscriptions = Object.values(useSubscriptions());
  const cards = useCall(loadCards);
  const upcoming = useCall(loadUpcoming);
  if (subscriptions.length === 0) {
    const create = <ButtonLink to={paths.selectCategory}>{t("projects.create")}</ButtonLink>;
    return (
      <>
        <PortalButton />
        <EmptyState icon={Package} title={t("settings.productsEmptyTitle")} action={create}>
          {t("settings.productsEmptyText")}
        </EmptyState>
        <Invoices />
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
            next={upcoming.status === "done" ? upcoming.answer[subscription.id] : undefined}
            card={cards.status === "done" ? cards.answer[subscription.id] : undefined}
          />
        ))}
      </div>
      <Invoices />
    </>
  );
}

interface Props {
  subscription: Subscription;
  project: Project | undefined;
  holder: string;
  next: NextInvoice | undefined;
  card: SubscriptionCards[string] | undefined;
}

/** A subscription on one card: project and plan, price, renewal, and the card it is charged to. */
function Product({ subscription, project, holder, next, card }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { created, current_period_start, current_period_end, plan, dispute, cancel_at_period_end } = subscription;
  const isTrial = subscription.trial_ends !== undefined;
  const amount = formatMoney(plan.amount, plan.currency, lang);
  const debt = useDebt(subscription, project);
  const isUrgent = dispute !== undefined || debt?.action !== undefined;
  const { support_email: support } = useSettings();
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
        <StatusDot state={isUrgent ? "bad" : debt || cancel_at_period_end ? "waiting" : "good"}>
          {t(`products.state.${stateOf(subscription)}`)}
        </StatusDot>
      </div>
      {debt && (
        <p className={`mb-3 text-small ${isUrgent ? "text-red" : "text-ink-2"}`}>
          {debt.text}{" "}
          {dispute && (
            <a href={`mailto:${support}`} className="font-[560] underline">
              {support}
            </a>
          )}
          {project && debt.action && (
            <a href={serverPaths.receipt(project.id)} target="_blank" rel="noreferrer" className="font-[560] underline">
              {debt.action}
            </a>
          )}
        </p>
      )}
      <dl className="grid grid-cols-[auto_1fr] gap-x-4 gap-y-1.5 text-small">
        <Fact label={t("products.plan")}>{project ? t(`recipes.${project.recipe}`) : t("common.unset")}</Fact>
        <Fact label={t("products.holder")}>{holder}</Fact>
        <Fact label={t("products.price")}>{t("products.withoutVat", { amount })}</Fact>
        <Fact label={t("products.period")}>{t(`products.${plan.interval}`)}</Fact>
        <Fact label={t("products.started")}>{formatSeconds(created, lang)}</Fact>
        {!isTrial && <Fact label={t("products.lastBilling")}>{formatSeconds(current_period_start, lang)}</Fact>}
        <Fact label={t(`products.${cancel_at_period_end ? "ends" : isTrial ? "firstBilling" : "nextBilling"}`)}>
          {formatSeconds(current_period_end, lang)}
        </Fact>
        {!cancel_at_period_end && (
          <Fact label={t("products.nextInvoice")}>
            {next
              ? t(next.vat > 0 ? "products.withVat" : "products.asIs", {
                  amount: formatMoney(next.due, plan.currency, lang),
                })
              : t("common.unset")}
          </Fact>
        )}
        <Fact label={t("products.card")}>
          {card ? `${card.brand.charAt(0).toUpperCase()}${card.brand.slice(1)} •••• ${card.last4}` : t("common.unset")}
        </Fact>
      </dl>
      {project && (
        <div className="mt-4 flex flex-wrap gap-3">
          <ButtonLink size="small" to={paths.projectTab(project.id, "plan")}>
            {t("products.changePlan")}
            <span className="sr-only">: {project.name}</span>
          </ButtonLink>
          <Renewal subscription={subscription} project={project} />
        </div>
      )}
    </section>
  );
}

function stateOf({ dispute, past_due, cancel_at_period_end, trial_ends }: Subscription) {
  if (dispute) return "disputed";
  if (past_due) return "owed";
  if (cancel_at_period_end) return "ending";
  return trial_ends === undefined ? "renewing" : "trial";
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <>
      <dt className="text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right break-words">{children}</dd>
    </>
  );
}
