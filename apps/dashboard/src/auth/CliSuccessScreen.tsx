import { useTranslation } from "react-i18next";
import { Card } from "../ui/Card.tsx";
import { LegalNotice } from "./LegalNotice.tsx";

export function CliSuccessScreen() {
  const { t } = useTranslation();
  return (
    <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col justify-center px-[18px] pt-4 pb-16">
      <title>{t("login.cliSuccessTitle")}</title>
      <Card className="p-6 sm:p-8">
        <h1 className="text-[24px] leading-tight font-[680] tracking-[-0.022em]">{t("login.cliSuccessTitle")}</h1>
        <p className="mt-1.5 text-ink-2">{t("login.cliSuccessText")}</p>
        <LegalNotice />
      </Card>
    </div>
  );
}
