import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { requestPayout } from "./referralCalls.ts";

/** Asks for the pending sums to be paid out, and says that it was received. */
export function PayoutButton({ isDue }: { isDue: boolean }) {
  const { t } = useTranslation();
  const [state, setState] = useState<"ready" | "busy" | "received" | "failed">("ready");

  async function request() {
    setState("busy");
    try {
      await requestPayout();
      setState("received");
    } catch {
      setState("failed");
    }
  }

  if (state === "received") {
    return (
      <p role="status" className="mt-4 text-green">
        {t("referrals.requested")}
      </p>
    );
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
