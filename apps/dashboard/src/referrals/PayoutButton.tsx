import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { withProof } from "../state/proof.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { requestPayout } from "./referralCalls.ts";

/** Requests the payout of the pending earnings. */
export function PayoutButton({ isDue, onRequested }: { isDue: boolean; onRequested(): void }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"ready" | "busy">("ready");
  const [fault, setFault] = useState<string>();

  async function request() {
    setState("busy");
    try {
      await withProof(requestPayout);
      onRequested();
    } catch (error) {
      const isToldWhy = error instanceof ApiError && error.key === "error_proof_needed";
      setFault(t(isToldWhy ? "errors.error_proof_needed" : "referrals.failed"));
      setState("ready");
    }
  }

  return (
    <div className="mt-5 flex flex-col items-start gap-3">
      {fault && <ErrorBox>{fault}</ErrorBox>}
      <Button look="primary" disabled={!isDue} busy={state === "busy"} onClick={request}>
        {t(state === "busy" ? "referrals.requesting" : "referrals.request")}
      </Button>
    </div>
  );
}
