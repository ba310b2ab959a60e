import type { ProofQuestion } from "@nido/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { ApiError, api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { ButtonAnchor } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ProofForm } from "./ProofForm.tsx";

/** Asks a signed-in customer to prove who they are, before a sensitive action. */
export function ProofDialog({ onEnd }: { onEnd(isProven: boolean): void }) {
  const { t } = useTranslation();
  const question = useCall(useCallback((signal) => api<ProofQuestion>(serverPaths.proof, { signal }), []));
  return (
    <Dialog title={t("proof.title")} note={t("proof.note")} closeLabel={t("common.close")} onClose={() => onEnd(false)}>
      {question.status === "loading" && <Skeleton count={1} className="h-32" />}
      {question.status === "failed" && <ErrorBox>{t("errors.error_network")}</ErrorBox>}
      {question.status === "done" && (
        <div className="flex flex-col gap-4">
          <ProofForm
            question={question.answer}
            answer={async (proof) => {
              // After too many attempts, a new question is needed.
              await api(serverPaths.proof, post(proof)).catch((error) => {
                if (error instanceof ApiError && error.key === "error_proof_needed") question.retry();
                throw error;
              });
              onEnd(true);
            }}
          />
          {question.answer.methods.includes("google") && <GoogleProof />}
          {question.answer.methods.length === 0 && <p className="text-ink-2">{t("proof.none")}</p>}
        </div>
      )}
    </Dialog>
  );
}

/** Leaves for Google and comes back to this screen, where the action can be repeated. */
function GoogleProof() {
  const { t, i18n } = useTranslation();
  const { pathname, search } = useLocation();
  const query = new URLSearchParams({ redirect: pathname + search, lang: i18n.language, intent: "prove" });
  return <ButtonAnchor href={`${serverPaths.google}?${query}`}>{t("proof.google")}</ButtonAnchor>;
}
