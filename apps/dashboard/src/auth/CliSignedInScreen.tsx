import { useTranslation } from "react-i18next";
import { useUser } from "../app/store.ts";
import { Card } from "../ui/Card.tsx";

/** The command line's sign-in page for who has signed in already. */
export function CliSignedInScreen() {
  const { t } = useTranslation();
  const { email } = useUser();
  return (
    <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col justify-center px-[18px] pt-4 pb-16">
      <title>{t("login.cliSignedInTitle")}</title>
      <Card className="p-6 sm:p-8">
        <h1 className="text-[24px] leading-tight font-[680] tracking-[-0.022em]">{t("login.cliSignedInTitle")}</h1>
        <p className="mt-1.5 text-ink-2">{t("login.cliSignedInText", { email })}</p>
      </Card>
    </div>
  );
}
