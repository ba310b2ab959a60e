import { hasStaging, type PlanOffer, type PlanPage, resourcesOf } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatBytes } from "../i18n/bytes.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { recipeLook } from "../ui/recipeLook.ts";

interface Props {
  offer: PlanOffer;
  page: PlanPage;
  isCurrent: boolean;
  onChoose(): void;
}

/** A plan with what the project would use of it. One that is too small says why. */
export function PlanOption({ offer: { plan, product }, page: { use, has_staging }, isCurrent, onChoose }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const { recipe } = product.metadata;
  const { disk, memory } = resourcesOf(recipe);
  const money = (cents: number) => formatMoney(cents, plan.currency, lang);
  const sizes = { used: formatBytes(use.disk, lang), allowed: formatBytes(disk, lang) };
  const obstacle =
    use.disk > disk ? t("plan.tooSmall", sizes) : has_staging && !hasStaging(recipe) ? t("plan.noStaging") : undefined;
  return (
    <article
      aria-label={product.name}
      className={`flex h-full flex-col rounded-card border bg-surface p-5 ${isCurrent ? "border-ink ring-1 ring-ink" : "border-line"}`}
    >
      <div className="flex items-center justify-between gap-3">
        <Badge tone={recipeLook(recipe).tone}>{t(`recipes.${recipe}`)}</Badge>
        {isCurrent && <span className="text-small text-ink-3">{t("plan.current")}</span>}
      </div>
      <p className="mt-3 text-title font-[680] tracking-[-0.022em]">
        {money(plan.interval === "year" ? plan.amount / 12 : plan.amount)}{" "}
        <span className="text-small font-normal tracking-normal text-ink-3">{t("newProject.perMonth")}</span>
      </p>
      {plan.interval === "year" && (
        <p className="text-small text-ink-3">{t("newProject.billed.year.plain", { amount: money(plan.amount) })}</p>
      )}
      <div className="mt-4 mb-5 space-y-3">
        <Share label={t("project.disk")} text={t("project.diskUse", sizes)} share={use.disk / disk} />
        {memory > 0 && (
          <Share
            label={t("plan.memory")}
            text={
              use.memory === undefined
                ? t("plan.megabytes", { count: memory })
                : t("plan.memoryUse", { used: use.memory, allowed: memory })
            }
            share={(use.memory ?? 0) / memory}
          />
        )}
      </div>
      {!isCurrent && (
        <div className="mt-auto">
          {obstacle ? (
            <p className="text-small text-red">{obstacle}</p>
          ) : (
            <Button onClick={onChoose} className="w-full">
              {t("plan.choose")}
              <span className="sr-only"> {product.name}</span>
            </Button>
          )}
        </div>
      )}
    </article>
  );
}

function Share({ label, text, share }: { label: string; text: string; share: number }) {
  return (
    <div>
      <p className="flex justify-between gap-3 text-small">
        <span className="text-ink-2">{label}</span>
        <span>{text}</span>
      </p>
      <div aria-hidden="true" className="mt-1.5 h-1.5 overflow-hidden rounded-full bg-sunken">
        <div
          className={`h-full rounded-full ${share > 0.9 ? "bg-red" : "bg-brand"}`}
          style={{ width: `${Math.min(share * 100, 100)}%` }}
        />
      </div>
    </div>
  );
}
