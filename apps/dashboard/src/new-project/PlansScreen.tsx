import type { Category, Interval, PlanOffer, Promotion } from "@nido/contract";
import { type ReactNode, useCallback, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate } from "react-router";
import { useCall } from "../api/useCall.ts";
import { useCartActions } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Page } from "../ui/Page.tsx";
import { Segments } from "../ui/Segments.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { discountFor } from "./discounted.ts";
import { loadPlans } from "./loadPlans.ts";
import { PlanCard } from "./PlanCard.tsx";
import { PromotionNotice } from "./PromotionNotice.tsx";
import { Summary } from "./Summary.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";
import { useOffer } from "./useOffer.ts";
import { usePromotion } from "./usePromotion.ts";

export function PlansScreen() {
  const { t } = useTranslation();
  const draft = useCheckoutDraft();
  const { category } = draft;
  const promotion = usePromotion(draft.promo);
  const offer = useOffer(draft);
  const [chosenInterval, setInterval] = useState<Interval>();
  // Whoever comes back from a later step sees the plan that they chose.
  const interval = chosenInterval ?? offer?.plan.interval ?? "year";
  const navigate = useNavigate();
  const { chooseProduct } = useCartActions();

  function choose(offer: PlanOffer) {
    chooseProduct(offer);
    const next = draft.with({ category, plan: offer.plan.id });
    const counted = promotion.status === "refused" && promotion.isFinal ? next.without("promo") : next;
    navigate(counted.pathTo(counted.nextStep));
  }

  const toggle = (
    <Segments<Interval>
      label={t("newProject.interval")}
      value={interval}
      options={[
        { value: "year", label: t("newProject.year") },
        { value: "month", label: t("newProject.month") },
      ]}
      onChange={setInterval}
    />
  );
  return (
    <Page
      title={t(`newProject.plansTitle.${category}`)}
      intro={t("newProject.plansIntro")}
      back={{ to: draft.pathTo("selectCategory"), label: t("common.back") }}
      action={toggle}
    >
      <PromotionNotice state={promotion} />
      <Plans
        category={category}
        interval={interval}
        promotion={promotion.status === "offered" ? promotion.promotion : undefined}
        onChoose={choose}
      />
      {draft.domain && (
        <div className="mt-6 max-w-[420px]">
          <Summary draft={draft.without("plan")} />
        </div>
      )}
    </Page>
  );
}

interface PlansProps {
  category: Category;
  interval: Interval;
  promotion: Promotion | undefined;
  onChoose(offer: PlanOffer): void;
}

function Plans({ category, interval, promotion, onChoose }: PlansProps) {
  const { t } = useTranslation();
  const { chooseCategory } = useCartActions();
  useEffect(() => chooseCategory(category), [category, chooseCategory]);
  const plans = useCall(useCallback((signal) => loadPlans(category, signal), [category]));

  if (plans.status === "loading") return <Grid content={<Skeleton count={3} className="h-[320px]" />} />;
  if (plans.status === "failed") {
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>{t("newProject.plansFailed")}</ErrorBox>
        <Button onClick={plans.retry}>{t("common.retry")}</Button>
      </div>
    );
  }

  const offers = plans.answer[interval];
  if (offers.length === 0) return <p className="text-ink-2">{t("newProject.plansEmpty")}</p>;
  return (
    <Grid
      content={offers.map((offer) => (
        <PlanCard
          key={offer.plan.id}
          offer={offer}
          saving={savingOf(offer, plans.answer.month)}
          discount={discountFor(offer, promotion)}
          isRecommended={offer.product.metadata.recipe === "wordpress_pro" || offers.length === 1}
          onChoose={() => onChoose(offer)}
        />
      ))}
    />
  );
}

/** How many cents a year the yearly plan saves against the monthly one of the same product. */
function savingOf({ plan, product }: PlanOffer, monthly: PlanOffer[]): number {
  const same = monthly.find((other) => other.product.id === product.id && other.plan.currency === plan.currency);
  return plan.interval === "year" && same ? same.plan.amount * 12 - plan.amount : 0;
}

function Grid({ content }: { content: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">{content}</div>;
}
