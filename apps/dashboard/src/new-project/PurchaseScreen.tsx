import { useEffect, useMemo } from "react";
import { useTranslation } from "react-i18next";
import { Navigate, useNavigate } from "react-router";
import { ApiError } from "../api/api.ts";
import { currentLanguage } from "../i18n/language.ts";
import { Page } from "../ui/Page.tsx";
import { Spinner } from "../ui/Spinner.tsx";
import type { CheckoutDraft } from "./CheckoutDraft.ts";
import { Summary } from "./Summary.tsx";
import { startCheckout, toCheckout } from "./startCheckout.ts";
import { useCheckoutDraft } from "./useCheckoutDraft.ts";

/** Starts the checkout at once and sends the browser to the payment provider's page. */
export function PurchaseScreen() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const draft = useCheckoutDraft();
  const checkout = useMemo(() => toCheckout(draft, currentLanguage()), [draft]);

  useEffect(() => {
    if (!checkout) return console.error("Invalid input");
    const controller = new AbortController();
    startCheckout(checkout, controller.signal).then(
      // Replaces this page in the history: going back must not start another checkout.
      ({ url }) => controller.signal.aborted || location.replace(url),
      (error) => {
        if (controller.signal.aborted) return;
        // The session has ended. A reload shows the sign-in, and afterwards this page again.
        if (error instanceof ApiError && error.key === "error_signed_out") return location.reload();
        navigate(pathAfterFailure(error, draft), { replace: true });
      },
    );
    return () => controller.abort();
  }, [checkout, navigate, draft]);

  if (!checkout) return <Navigate to={draft.pathTo(draft.nextStep)} replace />;
  return (
    <Page title={t("newProject.purchaseTitle")}>
      <p role="status" className="mb-6 flex items-center gap-3 text-ink-2">
        <Spinner />
        {t("newProject.purchaseText")}
      </p>
      <div className="max-w-[420px]">
        <Summary draft={draft} />
      </div>
    </Page>
  );
}

/** If the name is taken, the customer chooses another. Other failures lead to the error screen, with the draft. */
function pathAfterFailure(error: unknown, draft: CheckoutDraft): string {
  const key = error instanceof ApiError ? error.key : "error_network";
  if (key === "error_name_taken") return draft.with({ taken: "1" }).pathTo(draft.nameStep);
  return draft.with({ reason: key }).pathTo("newProjectError");
}
