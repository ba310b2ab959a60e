import { Monitor, Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Segments } from "./Segments.tsx";
import { chooseTheme, type ThemeChoice, useThemeChoice } from "./theme.ts";

export function ThemeToggle() {
  const { t } = useTranslation();
  return (
    <Segments<ThemeChoice>
      label={t("preferences.theme")}
      value={useThemeChoice()}
      options={[
        { value: "light", label: t("preferences.themeLight"), icon: Sun },
        { value: "dark", label: t("preferences.themeDark"), icon: Moon },
        { value: "system", label: t("preferences.themeSystem"), icon: Monitor },
      ]}
      onChange={chooseTheme}
    />
  );
}
