import { ReceiptText } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useErrorText } from "../state/useErrorText.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";

/** Opens the payment provider's customer portal: invoices, card, cancellation. */
export function PortalButton() {
  const { t } = useTranslation();
  const errorText = useErrorText();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();

  async function open() {
    setIsBusy(true);
    setError(undefined);
    try {
      const { url } = await api<{ url: string }>(serverPaths.portal, post({}));
      location.assign(url);
    } catch (failure) {
      setError(failure instanceof ApiError ? failure.key : "error_network");
      setIsBusy(false);
    }
  }

  return (
    <div className="mb-7 flex flex-col items-start gap-3">
      {error && <ErrorBox>{errorText(error)}</ErrorBox>}
      <Button busy={isBusy} onClick={open}>
        {!isBusy && <ReceiptText className="size-4" aria-hidden="true" />}
        {t("products.portal")}
      </Button>
    </div>
  );
}
