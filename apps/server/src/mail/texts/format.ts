import { formatMoney as format, type Language } from "@nido/contract";

/** English with European dates and 24-hour times. */
const locales = { es: "es", en: "en-GB" };

export function formatMoney({ amount, currency }: { amount: number; currency: string }, lang: Language): string {
  return format(amount, currency, lang);
}

/** The day, in UTC. */
export function formatDay(date: string, lang: Language): string {
  return new Intl.DateTimeFormat(locales[lang], { dateStyle: "long", timeZone: "UTC" }).format(new Date(date));
}

export function formatMoment(date: string, lang: Language): string {
  const options = { dateStyle: "long", timeStyle: "short", timeZone: "UTC" } as const;
  return `${new Intl.DateTimeFormat(locales[lang], options).format(new Date(date))} UTC`;
}
