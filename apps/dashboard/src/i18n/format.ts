import { countries, type Language, type TrafficRange } from "@nido/contract";

/** English with European dates and 24-hour times. */
const locales = { es: "es", en: "en-GB" };

/** With the decimal sign of the language: 25.5 is 25,5 in Spanish. */
export function formatNumber(value: number, lang: Language): string {
  return new Intl.NumberFormat(locales[lang]).format(value);
}

export function formatDate(iso: string, lang: Language): string {
  return new Intl.DateTimeFormat(locales[lang], { dateStyle: "long" }).format(new Date(iso));
}

export function formatDateTime(iso: string, lang: Language): string {
  return new Intl.DateTimeFormat(locales[lang], { dateStyle: "long", timeStyle: "short" }).format(new Date(iso));
}

export function formatMonth(iso: string, lang: Language): string {
  return new Intl.DateTimeFormat(locales[lang], { month: "long", year: "numeric" }).format(new Date(iso));
}

/** A step of a chart: an hour of the last day, a day of the last month, a month of the last year. */
export function formatStep(iso: string, range: TrafficRange, lang: Language): string {
  const options = {
    day: { hour: "2-digit", minute: "2-digit" },
    month: { day: "numeric", month: "short", timeZone: "UTC" },
    year: { month: "short", year: "numeric", timeZone: "UTC" },
  } as const;
  return new Intl.DateTimeFormat(locales[lang], options[range]).format(new Date(iso));
}

/** A calendar date: the same day in every time zone. */
export function formatShortDate(date: string, lang: Language): string {
  return new Intl.DateTimeFormat(locales[lang], {
    day: "numeric",
    month: "short",
    year: "numeric",
    timeZone: "UTC",
  }).format(new Date(date));
}

export function formatSeconds(seconds: number, lang: Language): string {
  return formatDate(new Date(seconds * 1000).toISOString(), lang);
}

/** A number of seconds: 4.2 s. */
export function formatDuration(seconds: number, lang: Language): string {
  const options = { style: "unit", unit: "second", unitDisplay: "narrow", maximumFractionDigits: 1 } as const;
  return new Intl.NumberFormat(lang, options).format(seconds);
}

export function countryName(code: string, lang: Language): string {
  return code && (new Intl.DisplayNames(lang, { type: "region" }).of(code) ?? code);
}

/** All countries, sorted by their name in this language. */
export function countryOptions(lang: Language): { code: string; name: string }[] {
  const options = countries.map((code) => ({ code, name: countryName(code, lang) }));
  return options.toSorted((a, b) => a.name.localeCompare(b.name, lang));
}
