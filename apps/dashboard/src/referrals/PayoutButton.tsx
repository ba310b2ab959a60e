import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { announce } from "../state/announcement.ts";
import { withProof } from "../state/proof.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { requestPayout } from "./referralCalls.ts";

interface Props {
  isDue: boolean;
  /** what has to be done first, if anything */
  onStart: (() => void) | undefined;
  onRequested(): void;
}

/** Requests the payout of the pending earnings. */
export function PayoutButton({ isDue, onStart, onRequested }: Props) {
  const { t } = useTranslation();
  const [state, setState] = useState<"ready" | "busy">("ready");
  const [fault, setFault] = useState<string>();

  async function request() {
    setState("busy");
    setFault(undefined);
    try {
      await withProof(requestPayout);
      announce(t("referrals.requestedShort"));
      onRequested();
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
    }
    setState("ready");
  }

  return (
    <div className="mt-5 flex flex-col items-start gap-3">
      {fault && <ErrorBox>{fault}</ErrorBox>}
      <Button look="primary" disabled={!isDue} busy={state === "busy"} onClick={onStart ?? request}>
        {t(state === "busy" ? "referrals.requesting" : "referrals.request")}
      </Button>
    </div>
  );
}
