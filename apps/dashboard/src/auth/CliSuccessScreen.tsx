import { useTranslation } from "react-i18next";
import { useSearchParams } from "react-router";
import { CliCard } from "./CliCard.tsx";
import { LegalNotice } from "./LegalNotice.tsx";

export function CliSuccessScreen() {
  const { t } = useTranslation();
  const [query] = useSearchParams();
  if (query.has("denied"))
    return (
      <CliCard title={t("login.cliDeniedTitle")}>
        <p className="mt-1.5 text-ink-2">{t("login.cliDeniedText")}</p>
      </CliCard>
    );
  return (
    <CliCard title={t("login.cliSuccessTitle")}>
      <p className="mt-1.5 text-ink-2">{t("login.cliSuccessText")}</p>
      <LegalNotice />
    </CliCard>
  );
}
