import { ibanMaxLength, ibanSchema } from "@nido/contract";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../api/api.ts";
import { announce } from "../state/announcement.ts";
import { withProof } from "../state/proof.ts";
import { Button } from "../ui/Button.tsx";
import { Dialog } from "../ui/Dialog.tsx";
import { Field } from "../ui/Field.tsx";
import { saveIban } from "./referralCalls.ts";

/** Asks for the account number that payouts go to. */
export function IbanDialog({ onClose, onSaved }: { onClose(): void; onSaved(): void }) {
  const { t } = useTranslation();
  const [iban, setIban] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState<string>();

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!ibanSchema.safeParse({ iban }).success) return setFault(t("errors.error_iban_invalid"));
    setIsBusy(true);
    setFault(undefined);
    try {
      await withProof(() => saveIban(iban));
      announce(t("referrals.ibanSaved"));
      onSaved();
    } catch (error) {
      setFault(t(`errors.${error instanceof ApiError ? error.key : "error_network"}`));
      setIsBusy(false);
    }
  }

  return (
    <Dialog
      title={t("referrals.ibanTitle")}
      note={t("referrals.ibanNote")}
      closeLabel={t("common.close")}
      onClose={onClose}
    >
      <form noValidate onSubmit={submit} className="flex flex-col gap-2">
        <Field
          label="IBAN"
          value={iban}
          error={fault}
          onChange={({ target }) => setIban(target.value)}
          maxLength={ibanMaxLength}
          autoComplete="off"
          autoCapitalize="characters"
          spellCheck={false}
        />
        <div className="mt-2 flex justify-end gap-3">
          <Button disabled={isBusy} onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {t(isBusy ? "common.saving" : "common.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
