import { ChevronsUpDown } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { useLocation } from "react-router";
import { loadTexts } from "../i18n/language.ts";
import { useUser } from "../state/store.ts";
import { Avatar } from "../ui/Avatar.tsx";
import { useLazy } from "./useLazy.ts";

async function loadMenu() {
  const [{ AccountMenu }] = await Promise.all([import("./AccountMenu.tsx"), loadTexts("account")]);
  return AccountMenu;
}

/** The signed-in customer, with the account menu. A popover of the browser: Escape and a click elsewhere close it. */
export function Identity() {
  const { t } = useTranslation();
  const user = useUser();
  const { pathname } = useLocation();
  const menu = useRef<HTMLDivElement>(null);
  const [wasOpened, setWasOpened] = useState(false);
  const close = () => menu.current?.hidePopover();
  const AccountMenu = useLazy(wasOpened, loadMenu, () => {
    setWasOpened(false);
    close();
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: another screen closes it.
  useEffect(() => close, [pathname]);
  const name = `${user.given_name} ${user.family_name}`.trim();
  return (
    <div className="mt-3 border-t border-line pt-3">
      <button
        type="button"
        popoverTarget="account-menu"
        aria-haspopup="dialog"
        onClick={() => setWasOpened(true)}
        className="flex w-full items-center gap-2.5 rounded-control px-2.5 py-1.5 text-left hover:bg-sunken"
      >
        <Avatar user={user} />
        <span className="min-w-0 flex-1 leading-tight">
          {name && <span className="block truncate font-[560]">{name}</span>}
          <span className="block truncate text-[0.8125rem] text-ink-3">{user.email}</span>
        </span>
        <ChevronsUpDown className="size-4 shrink-0 text-ink-3" aria-hidden="true" />
        <span className="sr-only">{t("nav.account")}</span>
      </button>
      <div
        ref={menu}
        id="account-menu"
        popover="auto"
        role="dialog"
        aria-label={t("nav.account")}
        className="fixed inset-auto bottom-[76px] left-3.5 m-0 w-[300px] max-w-[calc(100vw-28px)] flex-col gap-3 rounded-card border border-line bg-surface p-3 text-ink shadow-xl open:flex"
      >
        {AccountMenu && <AccountMenu />}
      </div>
    </div>
  );
}
