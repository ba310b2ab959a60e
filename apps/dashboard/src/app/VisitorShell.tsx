import { isLanguage } from "@nido/contract";
import { Moon, Sun } from "lucide-react";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, useLocation } from "react-router";
import { chooseLanguage } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { useIsSignedIn, useSettings } from "../state/store.ts";
import { Logo } from "../ui/Logo.tsx";
import { chooseTheme, useTheme } from "../ui/theme.ts";
import { Notices } from "./Notices.tsx";
import { Proof } from "./Proof.tsx";

/** The frame of all screens that work without a session. */
export function VisitorShell() {
  const { t } = useTranslation();
  const { brand } = useSettings();
  const { pathname } = useLocation();
  const isSignedIn = useIsSignedIn();
  useFocusOnHeading(pathname);
  return (
    <div className="flex min-h-dvh flex-col">
      <header className="flex h-[58px] items-center justify-between px-[18px] sm:h-20 sm:px-12">
        <Link to={paths.projects} aria-label={t("brand.home", { brand })}>
          <Logo brand={brand} />
        </Link>
        <Preferences />
      </header>
      <Notices />
      {isSignedIn && <Proof />}
      <main key={pathname} className="flex flex-1 animate-fade flex-col">
        <Outlet />
      </main>
    </div>
  );
}

/** Moves the keyboard focus to the heading of each new screen: the link that led there is gone. */
function useFocusOnHeading(pathname: string) {
  const shownPath = useRef(pathname);
  useEffect(() => {
    if (shownPath.current === pathname) return;
    shownPath.current = pathname;
    const heading = document.querySelector("h1");
    if (!heading) return;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
  }, [pathname]);
}

function Preferences() {
  const { t, i18n } = useTranslation();
  const theme = useTheme();
  const Icon = theme === "dark" ? Sun : Moon;
  return (
    <div className="flex items-center gap-1">
      <select
        aria-label={t("preferences.language")}
        value={i18n.language}
        onChange={({ target }) => isLanguage(target.value) && void chooseLanguage(target.value)}
        className="h-10 rounded-control bg-transparent px-2 text-ink-2 hover:bg-sunken"
      >
        <option value="es">Español</option>
        <option value="en">English</option>
      </select>
      <button
        type="button"
        aria-label={`${t("preferences.theme")}: ${t(theme === "dark" ? "preferences.themeLight" : "preferences.themeDark")}`}
        onClick={() => chooseTheme(theme === "dark" ? "light" : "dark")}
        className="grid size-10 place-items-center rounded-control text-ink-2 hover:bg-sunken"
      >
        <Icon className="size-[18px]" aria-hidden="true" />
      </button>
    </div>
  );
}
