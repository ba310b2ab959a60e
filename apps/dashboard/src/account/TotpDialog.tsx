import { codeLength, type ErrorKey, type RecoveryCodes, type TotpSetup } from "@nido/contract";
import { type FormEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { renderSVG } from "uqr";
import { ApiError, api, post } from "../api/api.ts";
import { serverPaths } from "../paths.ts";
import { withProof } from "../state/proof.ts";
import { Button } from "../ui/Button.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";

interface Props {
  setup: TotpSetup;
  onClose(): void;
  onDone(recoveryCodes: string[]): void;
}

/** Shows the secret for an authenticator app, and asks for its first code. */
export function TotpDialog({ setup: { secret, uri }, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const picture = useMemo(() => `data:image/svg+xml,${encodeURIComponent(renderSVG(uri))}`, [uri]);
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<ErrorKey>();

  async function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault();
    const code = String(new FormData(event.currentTarget).get("code"));
    setIsBusy(true);
    setFault(undefined);
    try {
      const answer = await withProof(() => api<RecoveryCodes>(serverPaths.confirmTotp, post({ code })));
      onDone(answer.recovery_codes);
    } catch (error) {
      setFault(error instanceof ApiError ? error.key : "error_network");
      setIsBusy(false);
    }
  }

  return (
    <Dialog
      title={t("security.totpTitle")}
      note={t("security.totpScan")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <img src={picture} alt={t("security.totpQr")} className="mx-auto size-48 rounded-control bg-white p-2" />
        <div>
          <p className="mb-1.5 text-small text-ink-2">{t("security.totpManual")}</p>
          <CopyLine text={secret} label={t("security.totpTitle")} />
        </div>
        <Field
          label={t("security.totpCode")}
          name="code"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={codeLength + 1}
          autoFocus
          error={fault && t(`errors.${fault}`)}
        />
        <div className="mt-2 flex justify-end gap-3">
          <Button disabled={isBusy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t(isBusy ? "security.activating" : "security.activate")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
