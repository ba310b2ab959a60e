import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { withProof } from "../state/proof.ts";
import { useUser } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { CliCard } from "./CliCard.tsx";

interface Props {
  /** the name of the machine that the CLI runs on */
  machine: string;
  /** the code that the terminal shows, if the CLI runs on another machine than this browser */
  code?: string;
  onAnswer: (isAllowed: boolean) => Promise<void>;
}

/** Shows which machine's CLI requests access, and lets the customer allow or deny it. */
export function GrantForm({ machine, code, onAnswer }: Props) {
  const { t } = useTranslation();
  const { email } = useUser();
  const [busy, setBusy] = useState<"allow" | "deny">();
  const [fault, setFault] = useState<string>();

  async function answer(isAllowed: boolean) {
    setBusy(isAllowed ? "allow" : "deny");
    setFault(undefined);
    try {
      await withProof(() => onAnswer(isAllowed));
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
      setBusy(undefined);
    }
  }

  return (
    <CliCard title={t("login.cliGrantTitle")}>
      <p className="mt-1.5 text-ink-2">
        <Trans
          i18nKey="login.cliGrantText"
          values={{ machine, email }}
          components={{ machine: <strong className="break-words text-ink" /> }}
        />
      </p>
      {code && (
        <>
          <p className="mt-4 text-ink-2">{t("login.cliCodeCheck")}</p>
          <p className="mt-1 font-mono text-[1.625rem] font-[640] tracking-[0.08em]">{code}</p>
        </>
      )}
      <p className="mt-4 text-small text-ink-2">{t("login.cliGrantWarning")}</p>
      <div className="mt-6 flex flex-wrap gap-3">
        <Button look="primary" busy={busy === "allow"} disabled={busy === "deny"} onClick={() => answer(true)}>
          {t(busy === "allow" ? "login.cliAllowing" : "login.cliAllow")}
        </Button>
        <Button busy={busy === "deny"} disabled={busy === "allow"} onClick={() => answer(false)}>
          {t("login.cliDeny")}
        </Button>
      </div>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
    </CliCard>
  );
}
