import { useEffect } from "react";
import { useLocation } from "react-router";
import { loadTexts } from "../i18n/language.ts";
import { endProof, useProofRequest } from "../state/proof.ts";
import { useLazy } from "./useLazy.ts";

async function loadDialog() {
  const [{ ProofDialog }] = await Promise.all([import("../auth/ProofDialog.tsx"), loadTexts("account")]);
  return ProofDialog;
}

/** Shown while a sensitive action waits for a proof. Leaving the screen gives the action up. */
export function Proof() {
  const end = useProofRequest();
  const { pathname } = useLocation();
  // If it cannot be loaded, the action fails, and what the customer typed stays.
  const Dialog = useLazy(end !== undefined, loadDialog, () => end?.(false));
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen ends the request.
  useEffect(() => () => endProof(), [pathname]);
  return end && Dialog && <Dialog onEnd={end} />;
}
