import { useTranslation } from "react-i18next";
import { CliCard } from "./CliCard.tsx";
import { LegalNotice } from "./LegalNotice.tsx";

export function CliSuccessScreen() {
  const { t } = useTranslation();
  return (
    <CliCard title={t("login.cliSuccessTitle")}>
      <p className="mt-1.5 text-ink-2">{t("login.cliSuccessText")}</p>
      <LegalNotice />
    </CliCard>
  );
}
