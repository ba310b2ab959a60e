import type { Language } from "./languages.ts";

/**
 * The payment provider's own list: in these currencies its amounts are whole units, or thousandths. In all others they
 * are hundredths, also where the unit has none, as the Icelandic króna.
 */
const digits: Partial<Record<string, number>> = {
  ...toAll(0, "BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF"),
  ...toAll(3, "BHD JOD KWD OMR TND"),
};

function toAll(value: number, codes: string) {
  return Object.fromEntries(codes.split(" ").map((code) => [code, value]));
}

/** How many decimals the provider counts in a currency. */
export function digitsOf(currency: string): number {
  return digits[currency.toUpperCase()] ?? 2;
}

/** An amount, counted in the smallest unit as all amounts are, with all its digits: 5900 of euro is 59.00. */
export function toUnits(amount: number, currency: string): string {
  return (amount / 10 ** digitsOf(currency)).toFixed(digitsOf(currency));
}

/** The amount of a typed number of units. */
export function fromUnits(typed: string, currency: string): number {
  return Math.round(Number(typed) * 10 ** digitsOf(currency));
}

/** An amount for reading. The euro has its sign, other currencies their code. */
export function formatMoney(amount: number, currency: string, lang: Language): string {
  const code = currency.toUpperCase();
  const units = amount / 10 ** digitsOf(code);
  return new Intl.NumberFormat(lang, {
    style: "currency",
    currency: code,
    currencyDisplay: code === "EUR" ? "symbol" : "code",
    // Some currencies, such as the forint, are usually written without their hundredths.
    ...(!Number.isInteger(units) && { minimumFractionDigits: digitsOf(code), maximumFractionDigits: digitsOf(code) }),
  }).format(units);
}
