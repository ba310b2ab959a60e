import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { requestPayout } from "./referralCalls.ts";

/** Requests the payout of the pending earnings. */
export function PayoutButton({ isDue, onRequested }: { isDue: boolean; onRequested(): void }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"ready" | "busy" | "failed">("ready");

  async function request() {
    setState("busy");
    try {
      await requestPayout();
      onRequested();
    } catch {
      setState("failed");
    }
  }

  return (
    <div className="mt-5 flex flex-col items-start gap-3">
      {state === "failed" && <ErrorBox>{t("referrals.failed")}</ErrorBox>}
      <Button look="primary" disabled={!isDue} busy={state === "busy"} onClick={request}>
        {t(state === "busy" ? "referrals.requesting" : "referrals.request")}
      </Button>
    </div>
  );
}
