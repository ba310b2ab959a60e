import { BookOpen, LayoutGrid, Settings2 } from "lucide-react";
import { useTranslation } from "react-i18next";
import { Link, useLocation } from "react-router";
import { paths } from "../paths.ts";
import { Identity } from "./Identity.tsx";
import { PaletteButton } from "./Palette.tsx";

/** The side navigation and the signed-in customer. A phone shows it only while the menu is open. */
export function Navigation({ isOpen }: { isOpen: boolean }) {
  const { t, i18n } = useTranslation();
  const { pathname } = useLocation();
  const isSettings = pathname.startsWith(paths.settings);
  const items = [
    { to: paths.projects, label: t("nav.projects"), icon: LayoutGrid, isCurrent: !isSettings },
    { to: paths.settings, label: t("nav.settings"), icon: Settings2, isCurrent: isSettings },
    { to: paths.doc(i18n.language), label: t("nav.docs"), icon: BookOpen, isCurrent: false },
  ];
  return (
    <div id="navigation" className={`${isOpen ? "flex" : "hidden"} flex-1 flex-col px-3.5 pb-3.5 lg:flex`}>
      <PaletteButton />
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
