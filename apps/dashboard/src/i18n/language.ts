import { defaultLanguage, isLanguage, type Language } from "@nido/contract";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

const storageKey = "lang";
const load = {
  es: async () => (await import("./es.ts")).es,
  en: async () => (await import("./en.ts")).en,
};

/** The language asked for in the address, else the one chosen before in this browser. */
export function preferredLanguage(): Language | undefined {
  const asked = new URLSearchParams(location.search).get("lang");
  if (isLanguage(asked)) {
    localStorage.setItem(storageKey, asked);
    return asked;
  }
  const stored = localStorage.getItem(storageKey);
  return isLanguage(stored) ? stored : undefined;
}

export async function startLanguage() {
  await i18next.use(initReactI18next).init({ interpolation: { escapeValue: false } });
  await showLanguage(preferredLanguage() ?? defaultLanguage);
  // Chosen in another tab.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) void showLanguage(newValue);
  });
}

/** Shows the page in this language, without remembering it. */
export async function showLanguage(lang: Language) {
  if (!i18next.hasResourceBundle(lang, "translation"))
    i18next.addResourceBundle(lang, "translation", await load[lang]());
  await i18next.changeLanguage(lang);
  document.documentElement.lang = lang;
}

/** Shows and remembers what the customer chose. */
export function chooseLanguage(lang: Language) {
  localStorage.setItem(storageKey, lang);
  return showLanguage(lang);
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : defaultLanguage;
}
