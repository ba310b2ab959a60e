import { isErrorKey } from "@nido/contract";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { useSettings } from "../state/store.ts";
import { Card } from "../ui/Card.tsx";
import { ErrorBox } from "../ui/ErrorBox.tsx";
import { GoogleButton } from "./GoogleButton.tsx";
import { LegalNotice } from "./LegalNotice.tsx";
import { PasswordForm } from "./PasswordForm.tsx";

interface Props {
  title: string;
  intro: string;
  googlePath: string;
}

/** Sign-in by Google and by password. Both return to the current address. */
export function SignInCard({ title, intro, googlePath }: Props) {
  const { t } = useTranslation();
  const { google } = useSettings();
  const error = new URLSearchParams(useLocation().search).get("signin_error");
  return (
    <div className="mx-auto flex w-full max-w-[440px] flex-1 flex-col justify-center px-[18px] pt-4 pb-16">
      <title>{title}</title>
      <Card className="p-6 sm:p-8">
        <h1 className="text-[24px] leading-tight font-[680] tracking-[-0.022em]">{title}</h1>
        <p className="mt-1.5 mb-6 text-ink-2">{intro}</p>
        {isErrorKey(error) && (
          <div className="mb-5">
            <ErrorBox>{t(`errors.${error}`)}</ErrorBox>
          </div>
        )}
        {google && (
          <>
            <GoogleButton path={googlePath} />
            <p className="my-5 flex items-center gap-3 text-small text-ink-3 before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
              {t("login.or")}
            </p>
          </>
        )}
        <PasswordForm />
        <LegalNotice />
      </Card>
    </div>
  );
}
