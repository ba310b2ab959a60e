export type Lang = "es" | "en";

export function languageOf(locale: string | null): Lang {
  return locale?.startsWith("en") ? "en" : "es";
}

export function formatMoney(amount: number | null, currency: string | null, lang: Lang): string {
  return new Intl.NumberFormat(lang, { style: "currency", currency: currency ?? "eur" }).format((amount ?? 0) / 100);
}

export function formatDate(seconds: number, lang: Lang): string {
  return new Intl.DateTimeFormat(lang, { dateStyle: "medium" }).format(seconds * 1000);
}
