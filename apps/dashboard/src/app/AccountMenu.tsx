import { languages } from "@nido/contract";
import { Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link } from "react-router";
import { DisconnectButton } from "../account/DisconnectButton.tsx";
import { chooseLanguage } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { useAction, useUser } from "../state/store.ts";
import { Segments } from "../ui/Segments.tsx";
import { ThemeToggle } from "../ui/ThemeToggle.tsx";

/** What opens at the customer's name: settings, language, theme, sign-out. */
export function AccountMenu() {
  const { t, i18n } = useTranslation();
  const { lang } = useUser();
  const { trigger } = useAction("UPDATE_USER_LANGUAGE");
  return (
    <>
      <Link to={paths.settings} className="flex h-10 items-center gap-3 rounded-control px-2.5 hover:bg-sunken">
        <Settings2 className="size-[18px]" aria-hidden="true" />
        {t("nav.settings")}
      </Link>
      <Segments
        label={t("preferences.language")}
        value={i18n.language === "en" ? "en" : "es"}
        options={languages.map((value) => ({ value, label: t(`languages.${value}`) }))}
        onChange={(chosen) => {
          void chooseLanguage(chosen);
          if (chosen !== lang) trigger({ lang: chosen });
        }}
      />
      <ThemeToggle />
      <div className="flex justify-end border-t border-line pt-3">
        <DisconnectButton />
      </div>
    </>
  );
}
