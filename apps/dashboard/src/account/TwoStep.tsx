import type { RecoveryCodes, Security, TotpSetup } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { useChange } from "../state/useChange.ts";
import { Badge } from "../ui/Badge.tsx";
import { Button } from "../ui/Button.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Row, Rows } from "../ui/Rows.tsx";
import { RecoveryCodesDialog } from "./RecoveryCodesDialog.tsx";
import { TotpDialog } from "./TotpDialog.tsx";

export function TwoStep({ security, onChanged }: { security: Security; onChanged(): void }) {
  const { t } = useTranslation();
  const { busy, fault, run } = useChange(onChanged);
  const [setup, setSetup] = useState<TotpSetup>();
  const [codes, setCodes] = useState<string[]>();
  const { two_step: isOn, two_step_required: isRequired, totp, passkeys, recovery_codes_left: left } = security;

  const show = (answer: RecoveryCodes | undefined) => answer && setCodes(answer.recovery_codes);
  const setUp = async () => setSetup(await run("totp", () => api<TotpSetup>(serverPaths.totp, post({})), ""));
  const turnOn = async () => show(await run("on", () => api<RecoveryCodes>(serverPaths.twoStep, post({}))));
  const renew = async () => show(await run("codes", () => api<RecoveryCodes>(serverPaths.recoveryCodes, post({}))));
  const turnOff = () => run("off", () => api(serverPaths.twoStep, { method: "DELETE" }));
  const isBusy = busy !== undefined;

  return (
    <Rows title={t("security.twoStep")}>
      <Row
        label={t(isOn ? "security.twoStepOn" : "security.twoStepOff")}
        action={
          isOn
            ? !isRequired && (
                <Button size="small" look="danger" busy={busy === "off"} disabled={isBusy} onClick={turnOff}>
                  {t("security.twoStepTurnOff")}
                </Button>
              )
            : passkeys.length > 0 && (
                <Button size="small" busy={busy === "on"} disabled={isBusy} onClick={turnOn}>
                  {t("security.twoStepWithPasskeys")}
                </Button>
              )
        }
      >
        <span className="font-normal text-ink-2">
          {t(isRequired ? "security.twoStepRequired" : "security.twoStepText")}
        </span>
        {fault && (
          <div className="mt-3">
            <ErrorBox>{fault}</ErrorBox>
          </div>
        )}
      </Row>
      <Row
        label={t("security.twoStepApp")}
        action={
          <Button size="small" busy={busy === "totp"} disabled={isBusy} onClick={setUp}>
            {t(totp ? "common.change" : "security.twoStepSetUp")}
            <span className="sr-only">{t("security.twoStepApp")}</span>
          </Button>
        }
      >
        {totp ? <Badge tone="green">{t("security.twoStepOn")}</Badge> : t("common.unset")}
      </Row>
      {isOn && (
        <Row
          label={t("security.recoveryCodes")}
          action={
            <Button size="small" busy={busy === "codes"} disabled={isBusy} onClick={renew}>
              {t("security.recoveryRenew")}
            </Button>
          }
        >
          {t("security.recoveryLeft", { count: left })}
        </Row>
      )}
      {setup && (
        <TotpDialog
          setup={setup}
          onClose={() => setSetup(undefined)}
          onDone={(recoveryCodes) => {
            setSetup(undefined);
            setCodes(recoveryCodes);
            onChanged();
          }}
        />
      )}
      {codes && <RecoveryCodesDialog codes={codes} onClose={() => setCodes(undefined)} />}
    </Rows>
  );
}
