import { Menu, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { Logo } from "../ui/Logo.tsx";
import { Debts } from "./Debts.tsx";
import { Navigation } from "./Navigation.tsx";
import { Notices } from "./Notices.tsx";
import { Proof } from "./Proof.tsx";

/** The frame of the signed-in screens: side navigation, folded away on a phone, and the current screen. */
export function Shell() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { brand } = useSettings();
  const { isOpen, toggle } = useMenu(pathname);
  useFocusOnNewScreen(pathname);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
      {/* Not a link to #content: its history entry would lack the navigation state that some screens need. */}
      <button
        type="button"
        onClick={focusContent}
        className="fixed top-2 left-2 z-20 -translate-y-20 rounded-control bg-ink px-4 py-2 text-background focus:translate-y-0"
      >
        {t("common.skip")}
      </button>
      <header className="sticky top-0 z-10 flex flex-col border-b border-line bg-background lg:h-dvh lg:border-r lg:border-b-0">
        <div className="flex h-[58px] items-center justify-between px-[18px] lg:h-20 lg:px-6">
          <Link to={paths.projects} aria-label={t("brand.home", { brand })}>
            <Logo brand={brand} />
          </Link>
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls="navigation"
            aria-label={t("nav.menu")}
            onClick={toggle}
            className="grid size-10 place-items-center rounded-control hover:bg-sunken lg:hidden"
          >
            {isOpen ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
          </button>
        </div>
        <Navigation isOpen={isOpen} />
      </header>
      <Progress />
      <Notices />
      <ScrollRestoration />
      <Proof />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[1276px] px-[18px] py-7 outline-none sm:px-12 lg:py-10 2xl:max-w-[1640px]"
      >
        <Debts />
        <div key={pathname} className="animate-fade">
          <Outlet />
        </div>
      </main>
    </div>
  );
}

/** The phone's menu. It remembers the screen it was opened on, so that navigating closes it; Escape does too. */
function useMenu(pathname: string) {
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;
  useEffect(() => {
    function closeOnEscape({ key }: KeyboardEvent) {
      if (key !== "Escape") return;
      // The focus must not vanish with the menu.
      const isInMenu = document.getElementById("navigation")?.contains(document.activeElement);
      if (isInMenu) document.querySelector<HTMLElement>("[aria-controls=navigation]")?.focus();
      setOpenOn(undefined);
    }
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, []);
  return { isOpen, toggle: () => setOpenOn(isOpen ? undefined : pathname) };
}

/** Moves the keyboard focus to each new screen: the link that led there may be gone. */
function useFocusOnNewScreen(pathname: string) {
  const shownPath = useRef(pathname);
  useEffect(() => {
    // A dialog that was opened meanwhile keeps it.
    const isFree = document.querySelector("[role=dialog]") === null;
    if (shownPath.current !== pathname && isFree) focusContent();
    shownPath.current = pathname;
  }, [pathname]);
}

function focusContent() {
  document.getElementById("content")?.focus({ preventScroll: true });
}

/** A thin line while the next screen is loading. */
function Progress() {
  const { t } = useTranslation();
  const isLoading = useNavigation().state === "loading";
  return (
    <div role="status" className="contents">
      {isLoading && (
        <div className="fixed inset-x-0 top-0 z-20 h-0.5 bg-brand motion-safe:animate-pulse">
          <span className="sr-only">{t("common.loading")}</span>
        </div>
      )}
    </div>
  );
}
