import type { Discount, PlanOffer } from "@nido/contract";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { discounted, discountedPayments } from "./discounted.ts";
import { useVat, withVat } from "./useVat.ts";

interface Props {
  offer: PlanOffer;
  /** cents a year, against the monthly plan */
  saving: number;
  /** of a code that counts for this plan */
  discount: Discount | undefined;
  isRecommended: boolean;
  onChoose(): void;
}

export function PlanCard({ offer, saving, discount, isRecommended, onChoose }: Props) {
  const { plan, product, trial_days: days } = offer;
  const { t } = useTranslation();
  const features: Partial<Record<string, string>> = t("features", { returnObjects: true });
  const { recipe } = product.metadata;
  const money = (cents: number) => formatMoney(cents, plan.currency, currentLanguage());
  const perMonth = (cents: number) => money(plan.interval === "year" ? cents / 12 : cents);
  const vat = useVat();
  const first = discounted(plan.amount, discount);
  const payments = discount && discountedPayments(discount, plan.interval);
  return (
    <article
      aria-label={product.name}
      className={`rounded-card border bg-surface p-6 ${isRecommended ? "border-ink ring-1 ring-ink" : "border-line"}`}
    >
      <div className="flex items-center justify-between">
        <Badge tone={recipeLook(recipe).tone}>{t(`recipes.${recipe}`)}</Badge>
        {isRecommended && <span className="text-small text-ink-3">{t("newProject.recommended")}</span>}
      </div>
      <p className="mt-3">
        <span className="block text-[2.375rem] leading-[1.25] font-[680] tracking-[-0.03em]">
          {perMonth(first)}
          {discount && (
            <>
              {" "}
              <s className="text-[1.1875rem] font-[500] tracking-normal text-ink-3">
                <span className="sr-only">{t("newProject.before")} </span>
                {perMonth(plan.amount)}
              </s>
            </>
          )}
        </span>{" "}
        <span className="text-small text-ink-3">{t("newProject.perMonth")}</span>
      </p>
      <p className="text-small text-ink-3">
        {t(`newProject.billed.${plan.interval}.${billing(payments, days)}`, {
          amount: money(first),
          later: money(plan.amount),
          payments: payments ?? 0,
          count: days ?? 0,
        })}
      </p>
      {discount && days !== undefined && <p className="text-small text-ink-3">{t("newProject.trialOrCode")}</p>}
      {vat !== undefined && (
        <p className="text-small text-ink-3">
          {vat > 0
            ? t("newProject.withVat", {
                amount: money(withVat(first, vat)),
                percent: formatNumber(vat, currentLanguage()),
              })
            : t("newProject.withoutAnyVat")}
        </p>
      )}
      <p className="h-5 text-small text-green">{saving > 0 && t("newProject.saving", { amount: money(saving) })}</p>
      <Button look={isRecommended ? "primary" : "plain"} onClick={onChoose} className="mt-4 w-full">
        {t("newProject.choose")}
        <span className="sr-only">{product.name}</span>
      </Button>
      <ul className="mt-5 space-y-2">
        {product.features.map(({ name }) => (
          <li key={name} className="flex gap-2.5 text-ink-2">
            <Check className="mt-1 size-4 shrink-0 text-green" aria-hidden="true" />
            {features[name] ?? name}
          </li>
        ))}
      </ul>
    </article>
  );
}

/** A purchase with a code has no trial. */
function billing(discountedPayments: number | undefined, trialDays: number | undefined) {
  if (discountedPayments === undefined) return trialDays === undefined ? "plain" : "trial";
  if (discountedPayments === 1) return "once";
  return Number.isFinite(discountedPayments) ? "repeating" : "forever";
}
