import type { Language } from "@nido/contract";

/** Formats an amount in cents. The euro has its sign, other currencies their code. */
export function formatMoney(cents: number, currency: string, lang: Language): string {
  const code = currency.toUpperCase();
  const currencyDisplay = code === "EUR" ? "symbol" : "code";
  return new Intl.NumberFormat(lang, { style: "currency", currency: code, currencyDisplay }).format(cents / 100);
}
