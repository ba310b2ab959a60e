import { type ComponentType, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { loadTexts } from "../i18n/language.ts";
import { endProof, useProofRequest } from "../state/proof.ts";

type ProofDialog = ComponentType<{ onEnd(isProven: boolean): void }>;

async function loadDialog(): Promise<ProofDialog> {
  const [{ ProofDialog: dialog }] = await Promise.all([import("../auth/ProofDialog.tsx"), loadTexts("account")]);
  return dialog;
}

/** Shown while a sensitive action waits for a proof. Leaving the screen gives the action up. */
export function Proof() {
  const end = useProofRequest();
  const { pathname } = useLocation();
  const [Dialog, setDialog] = useState<ProofDialog>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen ends the request.
  useEffect(() => () => endProof(), [pathname]);
  useEffect(() => {
    if (!end || Dialog) return;
    // If it cannot be loaded, the action fails, and what the customer typed stays.
    loadDialog().then(
      (dialog) => setDialog(() => dialog),
      () => end(false),
    );
  }, [end, Dialog]);
  return end && Dialog && <Dialog onEnd={end} />;
}
