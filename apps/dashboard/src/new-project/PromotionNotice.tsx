import type { Promotion } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Notice } from "../ui/Notice.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import type { PromotionState } from "./usePromotion.ts";

/** Who invites and what it saves, or why the code does not count. */
export function PromotionNotice({ state }: { state: PromotionState }) {
  const { t } = useTranslation();
  if (state.status === "none" || state.status === "unknown") return null;
  if (state.status === "loading") return <Skeleton count={1} className="mb-6 h-[41px]" />;
  return (
    <div className="mb-6">
      <Notice>
        {state.status === "refused" && t(`errors.${state.reason}`)}
        {state.status === "refused" && <span className="block">{t("newProject.promotion.without")}</span>}
        {state.status === "offered" && <Offer {...state.promotion} />}
      </Notice>
    </div>
  );
}

function Offer({ inviter, percent_off: percent, amount_off = 0, currency = "eur", ...promotion }: Promotion) {
  const { t } = useTranslation();
  const { duration, months = 1, products } = promotion;
  const amount = formatMoney(amount_off, currency, currentLanguage());
  const value = percent === undefined ? amount : t("newProject.promotion.percent", { percent });
  // One month is one payment.
  const lasting = duration === "repeating" && months === 1 ? "once" : duration;
  const recipes = [...new Set(products?.map(({ recipe }) => recipe))];
  return (
    <>
      {inviter ? `${t("newProject.promotion.from", { inviter })} ` : ""}
      {t(`newProject.promotion.${lasting}`, { value, months })}
      {recipes.length > 0 &&
        ` ${t("newProject.promotion.plans", { plans: recipes.map((recipe) => t(`recipes.${recipe}`)).join(", ") })}`}
    </>
  );
}
