import type { Earning, Payout, Referral } from "@nido/contract";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatDate, formatMonth } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Card } from "../ui/Card.tsx";

/** What was requested and paid, and each earning with its state. */
export function Ledger({ payouts, ledger }: Pick<Referral, "payouts" | "ledger">) {
  const { t } = useTranslation();
  return (
    <>
      {payouts.length > 0 && (
        <Section title={t("referrals.payouts")}>
          {payouts.map((payout) => (
            <PayoutLine key={payout.id} payout={payout} />
          ))}
        </Section>
      )}
      {ledger.length > 0 && (
        <Section title={t("referrals.ledger")}>
          {ledger.map((earning) => (
            <EarningLine key={earning.id} earning={earning} />
          ))}
        </Section>
      )}
    </>
  );
}

function PayoutLine({ payout: { amount, currency, requested_at, paid_at, iban } }: { payout: Payout }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const date = formatDate(paid_at ?? requested_at, lang);
  return (
    <Line
      amount={amount}
      currency={currency}
      title={t(paid_at ? "referrals.paidOn" : "referrals.requestedOn", { date })}
    >
      {iban && t("referrals.iban", { end: iban })}
    </Line>
  );
}

function EarningLine({ earning: { amount, currency, at, state, payable_at } }: { earning: Earning }) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const isHeld = state === "pending" && amount > 0 && new Date(payable_at) > new Date();
  const shownState = amount < 0 && state === "pending" ? "deducted" : state;
  return (
    <Line
      amount={amount}
      currency={currency}
      isVoid={state === "reversed"}
      title={t(amount < 0 ? "referrals.refund" : "referrals.share", { month: formatMonth(at, lang) })}
    >
      {isHeld ? t("referrals.heldUntil", { date: formatDate(payable_at, lang) }) : t(`referrals.states.${shownState}`)}
    </Line>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section className="mb-9">
      <h2 className="mb-3 text-section font-[640]">{title}</h2>
      <Card>
        <ul className="divide-y divide-line">{children}</ul>
      </Card>
    </section>
  );
}

interface LineProps {
  amount: number;
  currency: string;
  isVoid?: boolean;
  title: string;
  children: ReactNode;
}

function Line({ amount, currency, isVoid = false, title, children }: LineProps) {
  return (
    <li className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1 px-5 py-3">
      <span className="min-w-0">
        <span className="block font-[560]">{title}</span>
        <span className="block text-small text-ink-2">{children}</span>
      </span>
      <span className={`font-[600] ${isVoid ? "text-ink-3 line-through" : ""}`}>
        {formatMoney(amount, currency, currentLanguage())}
      </span>
    </li>
  );
}
