import { Search } from "lucide-react";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { loadTexts } from "../i18n/language.ts";
import { useLazy } from "./useLazy.ts";

async function loadDialog() {
  const [{ PaletteDialog }] = await Promise.all([import("./PaletteDialog.tsx"), loadTexts("account")]);
  return PaletteDialog;
}

const keys = /Mac|iPhone|iPad/.test(navigator.userAgent) ? "⌘ K" : "Ctrl K";

/** Opens the command palette, by a click or by Ctrl-K. */
export function PaletteButton() {
  const { t } = useTranslation();
  const [isOpen, setIsOpen] = useState(false);
  const PaletteDialog = useLazy(isOpen, loadDialog, () => setIsOpen(false));
  useEffect(() => {
    function openOnKey(event: KeyboardEvent) {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey) || event.shiftKey || event.altKey)
        return;
      event.preventDefault();
      setIsOpen(true);
    }
    document.addEventListener("keydown", openOnKey);
    return () => document.removeEventListener("keydown", openOnKey);
  }, []);
  return (
    <>
      <button
        type="button"
        onClick={() => setIsOpen(true)}
        className="mb-3 flex h-10 items-center gap-3 rounded-control border border-line bg-surface px-2.5 text-ink-3 hover:border-line-strong"
      >
        <Search className="size-4" aria-hidden="true" />
        <span className="flex-1 text-left">{t("nav.search")}</span>
        <kbd className="font-sans text-[0.75rem]">{keys}</kbd>
      </button>
      {isOpen && PaletteDialog && <PaletteDialog onClose={() => setIsOpen(false)} />}
    </>
  );
}
