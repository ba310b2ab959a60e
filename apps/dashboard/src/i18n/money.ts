import type { Language } from "@nido/contract";

/** An amount in cents: the euro by its sign, other currencies by their code. */
export function formatMoney(cents: number, currency: string, lang: Language): string {
  const code = currency.toUpperCase();
  const currencyDisplay = code === "EUR" ? "symbol" : "code";
  return new Intl.NumberFormat(lang, { style: "currency", currency: code, currencyDisplay }).format(cents / 100);
}
