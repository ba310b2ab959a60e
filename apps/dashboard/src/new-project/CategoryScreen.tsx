import type { Category, PlanOffer, PlanOffers } from "@nido/contract";
import { FileCode, Globe } from "lucide-react";
import { useCallback, useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { useCall } from "../api/useCall.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { paths } from "../paths.ts";
import { useIsSignedIn } from "../state/store.ts";
import { Page } from "../ui/Page.tsx";
import { forgetInvitation, rememberedInvitation, rememberInvitation } from "./invitation.ts";
import { loadPlans } from "./loadPlans.ts";
import { PromotionNotice } from "./PromotionNotice.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";
import { usePromotion } from "./usePromotion.ts";

/** The lowest price of a category, by the month. */
function FromPrice({ category }: { category: Category }) {
  const { t } = useTranslation();
  const plans = useCall(useCallback((signal) => loadPlans(category, signal), [category]));
  const { month, year }: PlanOffers = plans.status === "done" ? plans.answer : { month: [], year: [] };
  const prices = [...month, ...year].map(byMonth);
  // Amounts of several currencies cannot be compared.
  const [cheapest] = prices
    .filter(({ currency }) => currency === prices[0]?.currency)
    .toSorted((a, b) => a.cents - b.cents);
  return (
    <span className="mt-3 block min-h-[1lh] text-small font-[560]">
      {cheapest && t("newProject.from", { amount: formatMoney(cheapest.cents, cheapest.currency, currentLanguage()) })}
    </span>
  );
}

function byMonth({ plan: { amount, interval, currency } }: PlanOffer) {
  return { cents: interval === "year" ? Math.round(amount / 12) : amount, currency };
}

const categories = [
  { category: "wordpress", icon: Globe },
  { category: "static", icon: FileCode },
] as const;

/** The wizard's first step. Invitations lead here. */
export function CategoryScreen() {
  const { t } = useTranslation();
  const named = useCheckoutDraft();
  const code = named.promo ?? rememberedInvitation();
  const draft = code ? named.with({ promo: code }) : named;
  const promotion = usePromotion(draft.promo);
  const isSignedIn = useIsSignedIn();
  useEffect(() => {
    if (promotion.status === "offered" && code) rememberInvitation(code);
    if (promotion.status === "refused" && code === rememberedInvitation()) forgetInvitation();
  }, [promotion.status, code]);
  const inviter = promotion.status === "offered" && promotion.promotion.inviter;
  return (
    <Page
      title={inviter ? t("newProject.invitedTitle", { inviter }) : t("newProject.categoryTitle")}
      intro={t(inviter ? "newProject.invitedIntro" : "newProject.categoryIntro")}
      {...(isSignedIn && { back: { to: paths.projects, label: t("projects.backToProjects") } })}
    >
      <PromotionNotice state={promotion} />
      <ul className="grid grid-cols-1 gap-4 sm:grid-cols-2">
        {categories.map(({ category, icon: Icon }) => (
          <li key={category}>
            <Link
              to={draft.with({ category }).pathTo("newProject")}
              className="block h-full rounded-card border border-line bg-surface p-6 transition-colors duration-150 hover:border-line-strong"
            >
              <span className="mb-4 grid size-11 place-items-center rounded-[12px] bg-brand-soft text-brand">
                <Icon className="size-5" aria-hidden="true" />
              </span>
              <span className="block text-section font-[640]">{t(`newProject.${category}`)}</span>
              <span className="mt-1 block text-ink-2">{t(`newProject.${category}Text`)}</span>
              <FromPrice category={category} />
            </Link>
          </li>
        ))}
      </ul>
      {!isSignedIn && (
        <p className="mt-6 text-ink-2">
          {t("newProject.haveAccount")}{" "}
          <Link to={paths.login} className="font-[560] text-ink underline underline-offset-2">
            {t("newProject.signIn")}
          </Link>
        </p>
      )}
    </Page>
  );
}
