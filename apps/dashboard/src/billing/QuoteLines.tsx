import type { PlanOffer, PlanQuote } from "@nido/contract";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";

/** What a change of the plan costs now, and what the next invoice will be. */
export function QuoteLines({ quote, from, to }: { quote: PlanQuote; from: PlanOffer | undefined; to: PlanOffer }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const positive = (cents: number) => formatMoney(cents, quote.currency, lang);
  const money = (cents: number) => (cents < 0 ? `−${positive(-cents)}` : positive(cents));
  const nameOf = (offer: PlanOffer) => t(`recipes.${offer.product.metadata.recipe}`);
  const { credited, charged, vat, total, due, balance, next } = quote;
  return (
    <>
      <dl className="space-y-2">
        <Line label={t("plan.quote.charged", { plan: nameOf(to) })}>{money(charged)}</Line>
        <Line label={from ? t("plan.quote.credited", { plan: nameOf(from) }) : t("plan.quote.creditedBefore")}>
          {money(-credited)}
        </Line>
        {vat !== 0 && <Line label={t("plan.quote.vat")}>{money(vat)}</Line>}
        {total > due && total > 0 && <Line label={t("plan.quote.fromCredit")}>{money(due - total)}</Line>}
        <div className="flex justify-between gap-4 border-t border-line pt-2 font-[640]">
          <dt>{t("plan.quote.due")}</dt>
          <dd>{money(due)}</dd>
        </div>
        {balance > 0 && <Line label={t("plan.quote.balance")}>{money(balance)}</Line>}
      </dl>
      <p className="mt-4 text-small text-ink-2">
        {t("plan.nextLong", { date: formatDate(next.at, lang), amount: money(next.total) })}{" "}
        {next.vat > 0 ? t("plan.vatIncluded", { amount: money(next.vat) }) : t("plan.noVat")}
        {next.due < next.total && ` ${t("plan.fromCredit", { amount: money(next.total - next.due) })}`}
      </p>
    </>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="text-ink-2">{label}</dt>
      <dd className="whitespace-nowrap">{children}</dd>
    </div>
  );
}
