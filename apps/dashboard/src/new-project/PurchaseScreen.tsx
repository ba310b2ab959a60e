import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { useNavigate, useSearchParams } from "react-router";
import { ApiError } from "../api/api.ts";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { paths } from "../paths.ts";
import { useCart } from "../state/store.ts";
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
      (error) => {
        if (controller.signal.aborted) return;
        // The session has ended: loaded anew, this page asks for the sign-in and then goes on.
        if (error instanceof ApiError && error.key === "error_signed_out") return location.reload();
        navigate(afterFailure(error, query), { replace: true });
      },
    );
    return () => controller.abort();
  }, [checkout, navigate, query]);

  if (!checkout) {
    return (
      <Page title={t("newProject.purchaseTitle")} intro={t("newProject.purchaseInvalid")}>
        <ButtonLink to={`${paths.selectCategory}?${query}`}>{t("newProject.restart")}</ButtonLink>
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

/** A name that was lost is chosen anew; everything else has its page, with what was chosen so far. */
function afterFailure(error: unknown, query: URLSearchParams): string {
  const key = error instanceof ApiError ? error.key : "error_network";
  const params = new URLSearchParams(query);
  if (key === "error_name_taken") {
    params.set("taken", "1");
    return `${query.get("category") === "static" ? paths.staticName : paths.wpName}?${params}`;
  }
  params.set("reason", key);
  return `${paths.newProjectError}?${params}`;
}
