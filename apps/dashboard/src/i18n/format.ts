import { countries, type Language } from "@nido/contract";

export function formatDate(iso: string, lang: Language): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "long" }).format(new Date(iso));
}

export function formatDateTime(iso: string, lang: Language): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));
}

/** A calendar date: the same day in every time zone. */
export function formatShortDate(date: string, lang: Language): string {
  return new Intl.DateTimeFormat(lang, { day: "numeric", month: "short", year: "numeric", timeZone: "UTC" }).format(
    new Date(date),
  );
}

export function formatSeconds(seconds: number, lang: Language): string {
  return formatDate(new Date(seconds * 1000).toISOString(), lang);
}

export function countryName(code: string, lang: Language): string {
  return code && (new Intl.DisplayNames(lang, { type: "region" }).of(code) ?? code);
}

/** All countries, sorted by their name in this language. */
export function countryOptions(lang: Language): { code: string; name: string }[] {
  const options = countries.map((code) => ({ code, name: countryName(code, lang) }));
  return options.toSorted((a, b) => a.name.localeCompare(b.name, lang));
}
