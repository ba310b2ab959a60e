import type { Referral } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useCall } from "../api/useCall.ts";
import { currentLanguage } from "../i18n/language.ts";
import { useSettings, useUser } from "../state/store.ts";
import { Button } from "../ui/Button.tsx";
import { Card } from "../ui/Card.tsx";
import { CopyLine } from "../ui/CopyLine.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { Skeleton } from "../ui/Skeleton.tsx";
import { Earnings } from "./Earnings.tsx";
import { Ledger } from "./Ledger.tsx";
import { loadReferral } from "./referralCalls.ts";

export function ReferralsTab() {
  const { t } = useTranslation();
  const { support_email: email } = useSettings();
  const referral = useCall(loadReferral);
  if (referral.status === "loading") return <Skeleton count={2} className="mb-4 h-[150px]" />;
  if (referral.status === "failed") {
    return (
      <div className="flex flex-col items-start gap-4">
        <ErrorBox>
          {t("referrals.failed")}.{" "}
          <a href={`mailto:${email}`} className="underline underline-offset-2">
            {t("referrals.contact")}
          </a>
        </ErrorBox>
        <Button onClick={referral.retry}>{t("common.retry")}</Button>
      </div>
    );
  }
  return (
    <>
      <div className="mb-9 grid grid-cols-1 items-start gap-4 lg:grid-cols-2">
        <Invitation {...referral.answer} />
        <Earnings referral={referral.answer} onChanged={referral.retry} />
      </div>
      <Ledger {...referral.answer} />
    </>
  );
}

function Invitation({ info, earning_percent: share }: Referral) {
  const { t } = useTranslation();
  const { refcode } = useUser();
  const { referral_urls: urls } = useSettings();
  const link = new URL(urls[currentLanguage()]);
  link.searchParams.set("promo", refcode);
  return (
    <Card className="p-6">
      <h2 className="text-section font-[640]">{t("referrals.title")}</h2>
      <p className="mt-1 text-ink-2">{t("referrals.earn", { percent: share })}</p>
      <p className="mt-1 mb-5 text-ink-2">{t(`referrals.${info.duration}`, { percent: info.percent_off })}</p>
      <p className="mb-1.5 text-small font-[600]">{t("referrals.link")}</p>
      <CopyLine text={link.href} label={t("referrals.link")} />
    </Card>
  );
}
