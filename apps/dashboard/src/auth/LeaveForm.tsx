import { useState } from "react";
import { Trans, useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { useUser } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { CliCard } from "./CliCard.tsx";

interface Props {
  tool: string;
  /** what the terminal shows, where the tool is on another machine */
  code?: string;
  onAnswer: (isAllowed: boolean) => Promise<void>;
}

/** The customer sees which tool asks, and says yes or no. */
export function LeaveForm({ tool, code, onAnswer }: Props) {
  const { t } = useTranslation();
  const { email } = useUser();
  const [busy, setBusy] = useState<"allow" | "deny">();
  const [fault, setFault] = useState<string>();

  async function answer(isAllowed: boolean) {
    setBusy(isAllowed ? "allow" : "deny");
    setFault(undefined);
    try {
      await onAnswer(isAllowed);
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
      setBusy(undefined);
    }
  }

  return (
    <CliCard title={t("login.cliAskTitle")}>
      <p className="mt-1.5 text-ink-2">
        <Trans
          i18nKey="login.cliAskText"
          values={{ tool, email }}
          components={{ tool: <strong className="break-words text-ink" /> }}
        />
      </p>
      {code && (
        <>
          <p className="mt-4 text-ink-2">{t("login.cliCodeCheck")}</p>
          <p className="mt-1 font-mono text-[26px] font-[640] tracking-[0.08em]">{code}</p>
        </>
      )}
      <p className="mt-4 text-small text-ink-2">{t("login.cliAskWarning")}</p>
      {fault && (
        <div className="mt-4">
          <ErrorBox>{fault}</ErrorBox>
        </div>
      )}
      <div className="mt-6 flex flex-wrap gap-3">
        <Button look="primary" busy={busy === "allow"} disabled={busy === "deny"} onClick={() => answer(true)}>
          {t(busy === "allow" ? "login.cliAllowing" : "login.cliAllow")}
        </Button>
        <Button busy={busy === "deny"} disabled={busy === "allow"} onClick={() => answer(false)}>
          {t("login.cliDeny")}
        </Button>
      </div>
    </CliCard>
  );
}
