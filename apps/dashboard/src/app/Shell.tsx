import { LayoutGrid, Menu, Settings2, X } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Link, Outlet, ScrollRestoration, useLocation, useNavigation } from "react-router";
import { paths } from "../paths.ts";
import { useIsConnectionLost, useSettings, useUser } from "../state/store.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { Logo } from "../ui/Logo.tsx";

/** The signed-in frame: side navigation, which a phone folds away, and the screen. */
export function Shell() {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { brand } = useSettings();
  // Opened on one screen, the menu is closed on the next.
  const [openOn, setOpenOn] = useState<string>();
  const isOpen = openOn === pathname;
  useEffect(() => {
    const closeOnEscape = ({ key }: KeyboardEvent) => key === "Escape" && setOpenOn(undefined);
    document.addEventListener("keydown", closeOnEscape);
    return () => document.removeEventListener("keydown", closeOnEscape);
  }, []);
  const shownPath = useRef(pathname);
  useEffect(() => {
    // The button that led here is gone, and the focus with it: the keyboard goes on at the new screen.
    if (shownPath.current !== pathname) focusContent();
    shownPath.current = pathname;
  }, [pathname]);

  return (
    <div className="min-h-dvh lg:grid lg:grid-cols-[248px_minmax(0,1fr)]">
      {/* A button: a link to #content would make a history entry without the state that some screens are given. */}
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
            onClick={() => setOpenOn(isOpen ? undefined : pathname)}
            className="grid size-10 place-items-center rounded-control hover:bg-sunken lg:hidden"
          >
            {isOpen ? <X aria-hidden="true" /> : <Menu aria-hidden="true" />}
          </button>
        </div>
        <Navigation isOpen={isOpen} />
      </header>
      <Progress />
      <ConnectionNotice />
      <ScrollRestoration />
      <main
        id="content"
        tabIndex={-1}
        className="mx-auto w-full max-w-[1276px] px-[18px] py-7 outline-none sm:px-12 lg:py-10"
      >
        <div key={pathname} className="animate-fade">
          <Outlet />
        </div>
      </main>
    </div>
  );
}

function focusContent() {
  document.getElementById("content")?.focus({ preventScroll: true });
}

/** Says so while what is shown may be old. */
function ConnectionNotice() {
  const { t } = useTranslation();
  const isLost = useIsConnectionLost();
  return (
    <div role="status" className="fixed inset-x-0 bottom-4 z-20 flex justify-center px-4 empty:hidden">
      {isLost && (
        <p className="rounded-control bg-ink px-4 py-2 text-small text-background">{t("connection.unreachable")}</p>
      )}
    </div>
  );
}

function Navigation({ isOpen }: { isOpen: boolean }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const isSettings = pathname.startsWith(paths.settings);
  const items = [
    { to: paths.projects, label: t("nav.projects"), icon: LayoutGrid, isCurrent: !isSettings },
    { to: paths.settings, label: t("nav.settings"), icon: Settings2, isCurrent: isSettings },
  ];
  return (
    <div id="navigation" className={`${isOpen ? "flex" : "hidden"} flex-1 flex-col px-3.5 pb-3.5 lg:flex`}>
      <nav aria-label={t("nav.label")} className="flex flex-1 flex-col gap-1">
        {items.map(({ to, label, icon: Icon, isCurrent }) => (
          <Link
            key={to}
            to={to}
            aria-current={isCurrent ? "page" : undefined}
            className={`flex h-10 items-center gap-3 rounded-control border px-2.5 transition-colors duration-150 ${
              isCurrent
                ? "border-line bg-surface font-[560]"
                : "border-transparent text-ink-2 hover:bg-sunken hover:text-ink"
            }`}
          >
            <Icon className="size-[18px]" aria-hidden="true" />
            {label}
          </Link>
        ))}
      </nav>
      <Identity />
    </div>
  );
}

function Identity() {
  const user = useUser();
  const name = `${user.given_name} ${user.family_name}`.trim();
  return (
    <div className="mt-3 flex items-center gap-2.5 border-t border-line px-2.5 pt-4">
      <Avatar user={user} />
      <div className="min-w-0 leading-tight">
        {name && <p className="truncate font-[560]">{name}</p>}
        <p className="truncate text-[13px] text-ink-3">{user.email}</p>
      </div>
    </div>
  );
}

/** A thin line while the next screen is on its way. */
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
