import { Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Segments } from "../ui/Segments.tsx";
import { chooseTheme, useTheme } from "../ui/theme.ts";

export function ThemeToggle() {
  const { t } = useTranslation();
  return (
    <Segments
      label={t("settings.theme")}
      value={useTheme()}
      options={[
        { value: "light", label: t("settings.themeLight"), icon: Sun },
        { value: "dark", label: t("settings.themeDark"), icon: Moon },
      ]}
      onChange={chooseTheme}
    />
  );
}
