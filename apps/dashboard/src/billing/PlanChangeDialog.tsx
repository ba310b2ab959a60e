import type { PlanChangeResult, PlanOffer, PlanQuote, Project } from "@nido/contract";
import { useCallback, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { serverPaths } from "../paths.ts";
import { announce } from "../state/announcement.ts";
import { Button, ButtonAnchor } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { QuoteLines } from "./QuoteLines.tsx";

interface Props {
  project: Project;
  from: PlanOffer | undefined;
  to: PlanOffer;
  onClose(): void;
  onChanged(): void;
}

/** Shows what a change of the plan costs, makes it, and leads to the payment if the card was not enough. */
export function PlanChangeDialog({ project, from, to, onClose, onChanged }: Props) {
  const { t } = useTranslation();
  const { quote, isBusy, fault, unpaidUrl, retry, confirm } = usePlanChange(project, to, () => {
    onChanged();
    announce(t("plan.changed", { plan: t(`recipes.${to.product.metadata.recipe}`) }));
    onClose();
  });
  const name = t(`recipes.${to.product.metadata.recipe}`);
  const title = t(`plan.changeTitle.${to.plan.interval}`, { plan: name });
  if (unpaidUrl !== undefined) {
    const finish = () => {
      onChanged();
      onClose();
    };
    return (
      <Dialog title={t("plan.unpaidTitle")} note={t("plan.unpaidNote")} closeLabel={t("common.close")} onClose={finish}>
        <div className="flex flex-wrap justify-end gap-3">
          <Button onClick={finish}>{t("common.close")}</Button>
          <ButtonAnchor look="primary" href={unpaidUrl} target="_blank" rel="noreferrer" onClick={finish}>
            {t("plan.pay")}
          </ButtonAnchor>
        </div>
      </Dialog>
    );
  }
  return (
    <Dialog
      title={title}
      note={t("plan.changeNote", { name: project.name })}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      {quote.status === "loading" && <Skeleton count={4} className="mb-2 h-6" />}
      {quote.status === "done" && <QuoteLines quote={quote.answer} from={from} to={to} />}
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
      <div className="mt-6 flex flex-wrap justify-end gap-3">
        <Button onClick={onClose}>{t("common.cancel")}</Button>
        {quote.status === "failed" ? (
          <Button look="primary" onClick={retry}>
            {t("common.retry")}
          </Button>
        ) : (
          <Button look="primary" busy={isBusy} disabled={quote.status === "loading"} onClick={confirm}>
            {quote.status === "done" && quote.answer.due > 0
              ? t("plan.confirmAndPay", { amount: money(quote.answer) })
              : t("plan.confirm")}
          </Button>
        )}
      </div>
    </Dialog>
  );
}

function money({ due, currency }: PlanQuote): string {
  return formatMoney(due, currency, currentLanguage());
}

/** A quote that has become too old is replaced by a new one, which has to be confirmed again. */
function usePlanChange(project: Project, { plan }: PlanOffer, onDone: () => void) {
  const { t } = useTranslation();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();
  const [unpaidUrl, setUnpaidUrl] = useState<string>();
  const explain = useCallback(
    (error: unknown) => setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`)),
    [t],
  );
  const load = useCallback(
    (signal: AbortSignal) =>
      api<PlanQuote>(serverPaths.planQuote(project.id), { ...post({ plan: plan.id }), signal }).catch((error) => {
        if (!signal.aborted) explain(error);
        throw error;
      }),
    [project.id, plan.id, explain],
  );
  const quote = useCall(load);

  async function confirm() {
    if (quote.status !== "done") return;
    setIsBusy(true);
    setFault(undefined);
    try {
      const { at } = quote.answer;
      const { state, url } = await api<PlanChangeResult>(serverPaths.plan(project.id), post({ plan: plan.id, at }));
      if (state === "changed") return onDone();
      setUnpaidUrl(url ?? serverPaths.receipt(project.id));
    } catch (error) {
      explain(error);
      if (error instanceof ApiError && error.key === "error_plan_quote_outdated") quote.retry();
    }
    setIsBusy(false);
  }

  function retry() {
    setFault(undefined);
    quote.retry();
  }
  return { quote, isBusy, fault, unpaidUrl, retry, confirm };
}
