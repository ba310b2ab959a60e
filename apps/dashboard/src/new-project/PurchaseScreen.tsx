import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { ApiError } from "../app/api.ts";
import { paths } from "../app/paths.ts";
import { useCart } from "../app/store.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { ButtonLink } from "../ui/Button.tsx";
import { Page } from "../ui/Page.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import { readCheckout, startCheckout } from "./startCheckout.ts";

/** Starts the checkout by itself and leaves for the provider's page. */
export function PurchaseScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [query] = useSearchParams();
  const { product } = useCart();
  const checkout = useMemo(() => readCheckout(query, currentLanguage()), [query]);
  const isInCart = product?.plan.id === checkout?.planId;

  useEffect(() => {
    if (!checkout) return console.error("Invalid input");
    const controller = new AbortController();
    startCheckout(checkout, controller.signal).then(
      // In place of this page, so that coming back does not start another checkout.
      ({ url }) => controller.signal.aborted || location.replace(url),
      (error) => controller.signal.aborted || navigate(afterFailure(error, query), { replace: true }),
    );
    return () => controller.abort();
  }, [checkout, navigate, query]);

  if (!checkout) {
    return (
      <Page title={t("newProject.purchaseTitle")} intro={t("newProject.purchaseInvalid")}>
        <ButtonLink to={paths.selectCategory}>{t("newProject.restart")}</ButtonLink>
      </Page>
    );
  }
  return (
    <Page title={t("newProject.purchaseTitle")}>
      <p role="status" className="flex items-center gap-3 text-ink-2">
        <Spinner />
        {t("newProject.purchaseText")}
      </p>
      {product && isInCart && (
        <p className="mt-3 text-ink-3">
          {product.product.name} · {formatMoney(product.plan.amount, product.plan.currency, currentLanguage())}
        </p>
      )}
    </Page>
  );
}

/** A name that was lost is chosen anew; everything else has its page. */
function afterFailure(error: unknown, query: URLSearchParams): string {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 409) {
    const params = new URLSearchParams(query);
    params.set("taken", "1");
    return `${query.get("category") === "static" ? paths.staticName : paths.wpName}?${params}`;
  }
  const reason = status === 406 ? "error_promotion_already_used" : "error_unknown";
  return `${paths.newProjectError}?reason=${reason}`;
}
