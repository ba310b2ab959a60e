import { lazy, Suspense, useEffect } from "react";
import { useLocation } from "react-router";
import { loadTexts } from "../i18n/language.ts";
import { endProof, useProofRequest } from "../state/proof.ts";

const ProofDialog = lazy(async () => {
  const [{ ProofDialog: dialog }] = await Promise.all([import("../auth/ProofDialog.tsx"), loadTexts("account")]);
  return { default: dialog };
});

/** Shown while a sensitive action waits for a proof. Leaving the screen gives the action up. */
export function Proof() {
  const end = useProofRequest();
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen ends the request.
  useEffect(() => () => endProof(), [pathname]);
  return <Suspense>{end && <ProofDialog onEnd={end} />}</Suspense>;
}
