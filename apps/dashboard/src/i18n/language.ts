import { defaultLanguage, isLanguage, type Language } from "@nido/contract";
import i18next from "i18next";
import { initReactI18next } from "react-i18next";

const storageKey = "lang";
/** The language of the last account in this browser. Without a choice, its sign-in is shown in it. */
const lastKey = "lastLang";
/** The texts in parts. All but the common ones are loaded with the first screen that needs them. */
const parts = {
  common: {
    es: async () => (await import("./es.ts")).es,
    en: async () => (await import("./en.ts")).en,
  },
  errors: {
    es: async () => ({ errors: (await import("@nido/contract/errorTexts/es")).errorTexts }),
    en: async () => ({ errors: (await import("@nido/contract/errorTexts/en")).errorTexts }),
  },
  account: {
    es: async () => (await import("./accountEs.ts")).es,
    en: async () => (await import("./accountEn.ts")).en,
  },
  project: {
    es: async () => (await import("./projectEs.ts")).es,
    en: async () => (await import("./projectEn.ts")).en,
  },
  wizard: {
    es: async () => (await import("./wizardEs.ts")).es,
    en: async () => (await import("./wizardEn.ts")).en,
  },
  activity: {
    es: async () => (await import("./activityEs.ts")).es,
    en: async () => (await import("./activityEn.ts")).en,
  },
};
export type Part = keyof typeof parts;
const needed = new Set<Part>(["common"]);
const loaded = new Set<string>();

async function load(lang: Language) {
  const missing = [...needed].filter((part) => !loaded.has(`${lang} ${part}`));
  await Promise.all(
    missing.map(async (part) => {
      i18next.addResourceBundle(lang, "translation", await parts[part][lang](), true);
      loaded.add(`${lang} ${part}`);
    }),
  );
}

/** Loads parts of the texts, in the current language and from now on in every other. All of their screens can fail. */
export async function loadTexts(...names: Part[]) {
  if (names.length > 0) needed.add("errors");
  for (const name of names) needed.add(name);
  await load(currentLanguage());
}

/** The language of the address's `lang` parameter, which is then stored, or else the stored one. */
export function preferredLanguage(): Language | undefined {
  const requested = new URLSearchParams(location.search).get("lang");
  if (isLanguage(requested)) {
    localStorage.setItem(storageKey, requested);
    return requested;
  }
  const stored = localStorage.getItem(storageKey);
  return isLanguage(stored) ? stored : undefined;
}

export async function startLanguage() {
  await i18next.use(initReactI18next).init({ interpolation: { escapeValue: false } });
  const last = localStorage.getItem(lastKey);
  await showLanguage(preferredLanguage() ?? (isLanguage(last) ? last : defaultLanguage));
  // The customer chose a language in another tab.
  addEventListener("storage", ({ key, newValue }) => {
    if (key === storageKey && isLanguage(newValue)) void showLanguage(newValue);
  });
}

/** Shows the page in this language without storing the choice. */
export async function showLanguage(lang: Language) {
  await load(lang);
  // Before the screens are rendered again: the documentation may be in another language.
  document.documentElement.lang = lang;
  await i18next.changeLanguage(lang);
}

/** Shows the page in the account's language, unless another was chosen in this browser. */
export async function followAccount(lang: Language) {
  localStorage.setItem(lastKey, lang);
  if (!preferredLanguage()) await showLanguage(lang);
}

/** Shows the page in this language and stores the choice. */
export function chooseLanguage(lang: Language) {
  localStorage.setItem(storageKey, lang);
  return showLanguage(lang);
}

export function currentLanguage(): Language {
  return isLanguage(i18next.language) ? i18next.language : defaultLanguage;
}
