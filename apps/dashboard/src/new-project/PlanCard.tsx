import type { PlanOffer, PromotionTerms } from "@nido/contract";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { recipeLook } from "../ui/recipeLook.ts";
import { discounted } from "./discounted.ts";

interface Props {
  offer: PlanOffer;
  /** cents a year, against the monthly plan */
  saving: number;
  /** of a promotion that counts for this purchase */
  terms: PromotionTerms | undefined;
  isRecommended: boolean;
  onChoose(): void;
}

export function PlanCard({ offer: { plan, product }, saving, terms, isRecommended, onChoose }: Props) {
  const { t } = useTranslation();
  const features: Partial<Record<string, string>> = t("features", { returnObjects: true });
  const { recipe } = product.metadata;
  const money = (cents: number) => formatMoney(cents, plan.currency, currentLanguage());
  const perMonth = (cents: number) => money(plan.interval === "year" ? cents / 12 : cents);
  const first = discounted(plan.amount, terms);
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
          {terms && (
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
        {t(`newProject.billed.${plan.interval}.${terms?.duration ?? "plain"}`, {
          amount: money(first),
          later: money(plan.amount),
        })}
      </p>
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
