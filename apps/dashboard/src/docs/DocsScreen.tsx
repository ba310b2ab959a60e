import { isLanguage, type Language } from "@nido/contract";
import { Moon, Search, Sun } from "lucide-react";
import { type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type LoaderFunctionArgs,
  redirect,
  ScrollRestoration,
  useLoaderData,
  useLocation,
  useNavigate,
} from "react-router";
import { currentLanguage } from "../i18n/language.ts";
import { paths } from "../paths.ts";
import { useSettings } from "../state/store.ts";
import { chooseTheme, useTheme } from "../ui/theme.ts";
import type { DocPage } from "./DocPage.ts";
import { DocsPage, docTitle } from "./DocsPage.tsx";
import { fillDocs } from "./fillDocs.ts";
import { excerptOf, searchDocs } from "./searchDocs.ts";
import { docTexts } from "./texts.ts";

interface Loaded {
  lang: Language;
  pages: Record<string, DocPage>;
  slug: string;
}

const load = { es: () => import("./es.ts"), en: () => import("./en.ts") };

/** Loads the pages of the address's language. Without one, the dashboard's language is used. */
export async function loadDocs({ params }: LoaderFunctionArgs): Promise<Loaded | Response> {
  const { lang, slug } = params;
  if (!isLanguage(lang)) return redirect(paths.doc(currentLanguage(), slug ?? lang) + location.hash);
  const { pages } = await load[lang]();
  return { lang, pages, slug: slug ?? "start" };
}

/** The documentation for customers, for everybody to read. */
export function DocsScreen() {
  const { lang, pages: raw, slug } = useLoaderData<Loaded>();
  const { brand, sites_domain } = useSettings();
  const pages = useMemo(
    () => fillDocs(raw, { brand, sites_domain, origin: location.origin }),
    [raw, brand, sites_domain],
  );
  const page = pages.find((each) => each.slug === slug);
  const { key } = useLocation();
  const [typed, setTyped] = useState({ key, words: "" });
  // A search ends when another page, or another part of this one, is opened.
  const words = typed.key === key ? typed.words : "";
  const goTo = useGoTo();
  const t = docTexts[lang];
  useLanguageOfPage(lang);
  useFocusOnPage(key);

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only watches the clicks on the links inside
    // biome-ignore lint/a11y/useKeyWithClickEvents: a link that is opened by keyboard is clicked, too
    <div onClick={goTo} className="min-h-dvh">
      <ScrollRestoration />
      <title>{`${page?.title ?? t.missing} · ${brand}`}</title>
      <DocsPage
        lang={lang}
        brand={brand}
        pages={pages}
        page={page}
        theme={<Theme lang={lang} />}
        search={
          <SearchField
            label={t.search}
            placeholder={t.searchHint}
            words={words}
            onChange={(text) => setTyped({ key, words: text })}
          />
        }
        found={words.trim() ? <Found lang={lang} pages={pages} words={words} /> : undefined}
      />
    </div>
  );
}

/** Follows links within the dashboard without loading it again. */
function useGoTo() {
  const navigate = useNavigate();
  return (event: MouseEvent) => {
    const link = event.target instanceof Element ? event.target.closest("a") : null;
    const isPlainClick = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!link || !isPlainClick || link.origin !== location.origin || link.target) return;
    event.preventDefault();
    if (link.getAttribute("href") === "#content") return focusContent();
    void navigate(link.pathname + link.search + link.hash);
  };
}

function useLanguageOfPage(lang: Language) {
  // The dashboard sets its own language when it is chosen elsewhere.
  const { language } = useTranslation().i18n;
  useEffect(() => {
    if (language) document.documentElement.lang = lang;
    return () => {
      document.documentElement.lang = currentLanguage();
    };
  }, [lang, language]);
}

/** Moves the keyboard focus to each page that is opened by a link: the link may be gone. */
function useFocusOnPage(key: string) {
  const shown = useRef("default");
  useEffect(() => {
    if (shown.current !== key) focusContent();
    shown.current = key;
  }, [key]);
}

function focusContent() {
  document.getElementById("content")?.focus({ preventScroll: true });
}

interface SearchFieldProps {
  label: string;
  placeholder: string;
  words: string;
  onChange: (words: string) => void;
}

/** The key / leads here, as on many pages of documentation. */
function SearchField({ label, placeholder, words, onChange }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    function focus(event: KeyboardEvent) {
      const isTyping = event.target instanceof Element && event.target.closest("input, textarea, select");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      input.current?.focus();
    }
    document.addEventListener("keydown", focus);
    return () => document.removeEventListener("keydown", focus);
  }, []);
  return (
    <label className="flex h-10 items-center gap-2 rounded-control border border-line-strong bg-surface px-3 text-ink-3 focus-within:border-focus focus-within:ring-3 focus-within:ring-focus/20">
      <Search className="size-4 shrink-0" aria-hidden="true" />
      <span className="sr-only">{label}</span>
      <input
        ref={input}
        type="search"
        value={words}
        placeholder={placeholder}
        onChange={({ target }) => onChange(target.value)}
        onKeyDown={({ key }) => key === "Escape" && onChange("")}
        className="h-full min-w-0 flex-1 bg-transparent text-ink outline-none placeholder:text-ink-3"
      />
    </label>
  );
}

function Found({ lang, pages, words }: { lang: Language; pages: DocPage[]; words: string }) {
  const t = docTexts[lang];
  const matches = searchDocs(pages, words);
  return (
    <>
      <h1 className={docTitle}>{t.found}</h1>
      <p role="status" className="mb-5 text-ink-2">
        {matches.length > 0 ? t.results(matches.length) : t.nothing}
      </p>
      <ul className="max-w-[72ch] space-y-5">
        {matches.map(({ page, section }) => (
          <li key={`${page.slug} ${section.id}`}>
            <a href={paths.doc(lang, page.slug, section.id)} className="font-[560] hover:underline">
              {section.id ? `${page.title} › ${section.title}` : page.title}
            </a>
            <p className="text-small text-ink-2">{excerptOf(section, words)}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Theme({ lang }: { lang: Language }) {
  const isDark = useTheme() === "dark";
  const Icon = isDark ? Sun : Moon;
  return (
    <button
      type="button"
      aria-label={isDark ? docTexts[lang].light : docTexts[lang].dark}
      onClick={() => chooseTheme(isDark ? "light" : "dark")}
      className="grid size-10 place-items-center rounded-control text-ink-2 hover:bg-sunken"
    >
      <Icon className="size-[18px]" aria-hidden="true" />
    </button>
  );
}
