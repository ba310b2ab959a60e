import { Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Segments } from "../ui/Segments.tsx";
import { chooseTheme, useTheme } from "../ui/theme.ts";

export function ThemeToggle() {
  const { t } = useTranslation();
  return (
    <Segments
      label={t("preferences.theme")}
      value={useTheme()}
      options={[
        { value: "light", label: t("preferences.themeLight"), icon: Sun },
        { value: "dark", label: t("preferences.themeDark"), icon: Moon },
      ]}
      onChange={chooseTheme}
    />
  );
}
