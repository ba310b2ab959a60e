import type { PlanOffer } from "@nido/contract";
import { Check } from "lucide-react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { recipeLook } from "../ui/recipeLook.ts";

interface Props {
  offer: PlanOffer;
  isRecommended: boolean;
  onChoose(): void;
}

export function PlanCard({ offer: { plan, product }, isRecommended, onChoose }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const features: Partial<Record<string, string>> = t("features", { returnObjects: true });
  const { tone, plan: planName } = recipeLook(product.metadata.recipe);
  const monthly = plan.interval === "year" ? plan.amount / 12 : plan.amount;
  return (
    <article
      aria-label={product.name}
      className={`rounded-card border bg-surface p-6 ${isRecommended ? "border-ink ring-1 ring-ink" : "border-line"}`}
    >
      <div className="flex items-center justify-between">
        <Badge tone={tone}>{planName.charAt(0).toUpperCase() + planName.slice(1)}</Badge>
        {isRecommended && <span className="text-small text-ink-3">{t("newProject.recommended")}</span>}
      </div>
      <p className="mt-3">
        <span className="block text-[38px] leading-[1.25] font-[680] tracking-[-0.03em]">
          {formatMoney(monthly, plan.currency, lang)}
        </span>{" "}
        <span className="text-small text-ink-3">{t("newProject.perMonth")}</span>
      </p>
      <p className="h-5 text-small text-ink-3">
        {plan.interval === "year" &&
          t("newProject.billedYearly", { amount: formatMoney(plan.amount, plan.currency, lang) })}
      </p>
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
