import { Moon, Sun } from "lucide-react";
import { useTranslation } from "react-i18next";
import { chooseTheme, type Theme, useTheme } from "../app/theme.ts";

const icons = { light: Sun, dark: Moon };

export function ThemeToggle() {
  const { t } = useTranslation();
  const current = useTheme();
  const labels = { light: t("settings.themeLight"), dark: t("settings.themeDark") };
  return (
    <fieldset className="inline-flex rounded-control bg-sunken p-1">
      <legend className="sr-only">{t("settings.theme")}</legend>
      {(Object.keys(icons) as Theme[]).map((theme) => {
        const Icon = icons[theme];
        return (
          <label
            key={theme}
            className="flex h-8 cursor-pointer items-center gap-2 rounded-[7px] px-3 text-small text-ink-2 has-checked:bg-surface has-checked:text-ink has-checked:shadow-sm has-focus-visible:outline-2 has-focus-visible:outline-brand"
          >
            <input
              type="radio"
              name="theme"
              value={theme}
              checked={theme === current}
              onChange={() => chooseTheme(theme)}
              className="sr-only"
            />
            <Icon className="size-4" aria-hidden="true" />
            {labels[theme]}
          </label>
        );
      })}
    </fieldset>
  );
}
