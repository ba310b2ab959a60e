import type { Referral } from "@nido/contract";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { currentLanguage } from "../i18n/language.ts";
import { formatMoney } from "../i18n/money.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { IbanDialog } from "./IbanDialog.tsx";
import { PayoutButton } from "./PayoutButton.tsx";

/** What can be paid out, and where to. */
export function Earnings({ referral: { pending, iban }, onChanged }: { referral: Referral; onChanged(): void }) {
  const { t } = useTranslation();
  const [isRequested, setIsRequested] = useState(false);
  const [isEditing, setIsEditing] = useState(false);
  // Known before the referral has been read again.
  const [isIbanSaved, setIsIbanSaved] = useState(false);
  const due = pending.filter(({ sum }) => sum > 0);
  const money = (cents: number, currency: string) => formatMoney(cents, currency, currentLanguage());
  const isDue = due.some(({ payable }) => payable > 0);
  return (
    <Card className="p-6">
      <h2 className="mb-3 text-section font-[640]">{t("referrals.pendingTitle")}</h2>
      {due.length === 0 && <p className="text-ink-2">{t("referrals.pendingNone")}</p>}
      {due.map(({ sum, payable, currency }) => (
        <div key={currency}>
          <p className="text-title font-[680] tracking-[-0.022em]">{money(sum, currency)}</p>
          {payable < sum && (
            <p className="mt-2 text-ink-2">
              {t("referrals.held", { sum: money(sum - Math.max(payable, 0), currency) })}
            </p>
          )}
        </div>
      ))}
      <div className="mt-4 flex flex-wrap items-center justify-between gap-3 border-t border-line pt-4">
        <p className="text-small text-ink-2">{iban ? t("referrals.iban", { end: iban }) : t("referrals.ibanNone")}</p>
        <Button size="small" onClick={() => setIsEditing(true)}>
          {t(iban ? "common.change" : "common.add")}
          <span className="sr-only">IBAN</span>
        </Button>
      </div>
      {isRequested && !isDue ? (
        <p role="status" className="mt-4 text-green">
          {t("referrals.requested")}
        </p>
      ) : (
        <PayoutButton
          isDue={isDue}
          // Without an account number, asking for it is the first step.
          onStart={iban || isIbanSaved ? undefined : () => setIsEditing(true)}
          onRequested={() => {
            setIsRequested(true);
            onChanged();
          }}
        />
      )}
      {isEditing && (
        <IbanDialog
          onClose={() => setIsEditing(false)}
          onSaved={() => {
            setIsEditing(false);
            setIsIbanSaved(true);
            onChanged();
          }}
        />
      )}
    </Card>
  );
}
