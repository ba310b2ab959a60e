import type { Category, Interval, PlanOffer } from "@nido/contract";
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
import { loadPlans } from "./loadPlans.ts";
import { PlanCard } from "./PlanCard.tsx";
import { Promotion } from "./Promotion.tsx";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

export function PlansScreen() {
  const { t } = useTranslation();
  const draft = useCheckoutDraft();
  const { category } = draft;
  const promo = draft.promo?.trim().toLowerCase();
  const [interval, setInterval] = useState<Interval>("year");
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
      {promo && <Promotion code={promo} />}
      <Plans category={category} interval={interval} />
    </Page>
  );
}

function Plans({ category, interval }: { category: Category; interval: Interval }) {
  const { t } = useTranslation();
  const draft = useCheckoutDraft();
  const navigate = useNavigate();
  const { chooseCategory, chooseProduct } = useCartActions();
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

  function choose(offer: PlanOffer) {
    chooseProduct(offer);
    const next = draft.with({ category, plan: offer.plan.id });
    navigate(next.pathTo(next.isNamed ? "purchase" : next.nameStep));
  }

  const offers = plans.answer[interval];
  if (offers.length === 0) return <p className="text-ink-2">{t("newProject.plansEmpty")}</p>;
  return (
    <Grid
      content={offers.map((offer) => (
        <PlanCard
          key={offer.plan.id}
          offer={offer}
          isRecommended={offer.product.metadata.recipe === "wordpress_pro" || offers.length === 1}
          onChoose={() => choose(offer)}
        />
      ))}
    />
  );
}

function Grid({ content }: { content: ReactNode }) {
  return <div className="grid grid-cols-1 gap-4 md:grid-cols-2 xl:grid-cols-3">{content}</div>;
}
