import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { formatNumber } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { useSettings } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";
import type { CheckoutDraft } from "./CheckoutDraft.ts";
import { discounted, discountFor } from "./discounted.ts";
import { useOffer } from "./useOffer.ts";
import { usePromotion } from "./usePromotion.ts";
import { useVat, withVat } from "./useVat.ts";

/** The order so far: it grows with each step and is complete before the payment. */
export function Summary({ draft }: { draft: CheckoutDraft }) {
  const { t } = useTranslation();
  const { sites_domain: sites } = useSettings();
  const offer = useOffer(draft);
  const promotion = usePromotion(draft.promo);
  const discount = offer && promotion.status === "offered" ? discountFor(offer, promotion.promotion) : undefined;
  const trialDays = discount ? undefined : offer?.trial_days;
  const vat = useVat();
  const today = trialDays === undefined ? discounted(offer?.plan.amount ?? 0, discount) : 0;
  const money = (cents: number) => formatMoney(cents, offer?.plan.currency ?? "eur", currentLanguage());
  return (
    <Card className="p-5">
      <section aria-label={t("newProject.summary.title")}>
        <h2 className="mb-3 text-section font-[640]">{t("newProject.summary.title")}</h2>
        <dl className="space-y-2.5 text-small">
          <Line label={t("newProject.summary.plan")}>
            {offer ? t(`recipes.${offer.product.metadata.recipe}`) : t(`newProject.${draft.category}`)}
          </Line>
          {draft.domain && (
            <Line label={t("newProject.summary.site")}>
              <span className="font-mono break-all">{`${draft.domain}.${sites}`}</span>
            </Line>
          )}
          {draft.category === "wordpress" && draft.username && (
            <Line label={t("newProject.summary.username")}>{draft.username}</Line>
          )}
          {offer && (
            <>
              <Line label={t("newProject.summary.price")}>
                {t(`newProject.summary.${offer.plan.interval}`, { amount: money(offer.plan.amount) })}
              </Line>
              {discount && (
                <Line label={t("newProject.summary.discount")}>
                  {discount.percent_off === undefined
                    ? `−${money(discount.amount_off ?? 0)}`
                    : t("newProject.summary.percentOff", { percent: discount.percent_off })}
                </Line>
              )}
              {trialDays !== undefined && (
                <Line label={t("newProject.summary.trial")}>
                  {t("newProject.summary.trialDays", { count: trialDays })}
                </Line>
              )}
              <Line label={t("newProject.summary.vat")}>
                {vat === undefined && t("newProject.summary.vatText")}
                {vat === 0 && t("newProject.withoutAnyVat")}
                {vat !== undefined &&
                  vat > 0 &&
                  t("newProject.summary.vatEstimate", { percent: formatNumber(vat, currentLanguage()) })}
              </Line>
              <div className="flex justify-between gap-4 border-t border-line pt-2.5 text-body font-[640]">
                <dt>{t("newProject.summary.today")}</dt>
                <dd className="text-right">{t("newProject.summary.withoutVat", { amount: money(today) })}</dd>
              </div>
              {vat !== undefined && vat > 0 && today > 0 && (
                <p className="text-right text-ink-3">
                  {t("newProject.summary.withVat", { amount: money(withVat(today, vat)) })}
                </p>
              )}
            </>
          )}
        </dl>
      </section>
    </Card>
  );
}

function Line({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="flex justify-between gap-4">
      <dt className="shrink-0 text-ink-3">{label}</dt>
      <dd className="min-w-0 text-right">{children}</dd>
    </div>
  );
}
