import type { PlanPage, Project } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { formatDate } from "../i18n/format.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { useSubscriptions } from "../state/store.ts";
import { Button, ButtonAnchor } from "../ui/Button.tsx";
import { Notice } from "../ui/Notice.tsx";
import { Row, Rows } from "../ui/Rows.tsx";

interface Props {
  project: Project;
  page: PlanPage;
  onUndo(): void;
}

/** The plan and its next invoice; a change that can be undone, or that waits for its payment. */
export function CurrentPlan({ project, page: { next, undo, unpaid, offers }, onUndo }: Props) {
  const { t } = useTranslation();
  const lang = currentLanguage();
  const subscription = useSubscriptions()[project.sub_id];
  if (!subscription) return null;
  const { plan } = subscription;
  const money = (amount: number) => formatMoney(amount, plan.currency, lang);
  const nameOf = (id: string) => {
    const recipe = offers.find((offer) => offer.plan.id === id)?.product.metadata.recipe;
    return recipe ? t(`recipes.${recipe}`) : t("plan.another");
  };
  return (
    <>
      <Rows title={t("plan.title")}>
        <Row label={t("project.plan")}>{t(`recipes.${project.recipe}`)}</Row>
        <Row label={t("plan.price")}>{t(`plan.per.${plan.interval}`, { amount: money(plan.amount) })}</Row>
        {next && (
          <Row label={t("plan.next")}>
            {t("plan.nextText", { date: formatDate(next.at, lang), amount: money(next.total) })}
            <span className="block text-small font-normal text-ink-2">
              {next.vat > 0 ? t("plan.vatIncluded", { amount: money(next.vat) }) : t("plan.noVat")}
              {next.due < next.total && ` ${t("plan.fromCredit", { amount: money(next.total - next.due) })}`}
            </span>
          </Row>
        )}
      </Rows>
      {undo && (
        <div className="-mt-5 mb-9">
          <Notice>
            <p>{t("plan.undoText", { plan: nameOf(undo) })}</p>
            <Button size="small" className="mt-2.5" onClick={onUndo}>
              {t("plan.undo")}
            </Button>
          </Notice>
        </div>
      )}
      {unpaid && (
        <div className="-mt-5 mb-9">
          <Notice>
            <p>{t("plan.unpaid", { plan: nameOf(unpaid.plan) })}</p>
            <ButtonAnchor size="small" className="mt-2.5" href={unpaid.url} target="_blank" rel="noreferrer">
              {t("plan.pay")}
            </ButtonAnchor>
          </Notice>
        </div>
      )}
    </>
  );
}
