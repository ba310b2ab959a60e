import type { ProofQuestion } from "@nido/contract";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { api, post } from "../api/api.ts";
import { useCall } from "../api/useCall.ts";
import { serverPaths } from "../paths.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { ProofForm } from "./ProofForm.tsx";
import { reloadSignedIn, withoutSignIn } from "./withoutSignIn.ts";

/** The second factor, after the password or Google. */
export function SecondFactorForm({ onBack }: { onBack(): void }) {
  const { t } = useTranslation();
  const here = withoutSignIn(useLocation());
  const question = useCall(useCallback((signal) => api<ProofQuestion>(serverPaths.secondFactor, { signal }), []));
  return (
    <div className="flex flex-col gap-5">
      {question.status === "loading" && <Skeleton count={1} className="h-32" />}
      {question.status === "failed" && <ErrorBox>{t("errors.error_sign_in_again")}</ErrorBox>}
      {question.status === "done" && (
        <ProofForm
          question={question.answer}
          answer={async (proof) => {
            await api(serverPaths.secondFactor, post(proof));
            reloadSignedIn(here);
          }}
        />
      )}
      <Button size="small" onClick={onBack}>
        {t("proof.back")}
      </Button>
    </div>
  );
}
