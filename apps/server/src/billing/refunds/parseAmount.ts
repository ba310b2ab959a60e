import { digitsOf, toUnits } from "@nido/contract";

/** An amount as a person writes it, such as `12.50`, in the currency's smallest unit; undefined if it is none. */
export function parseAmount(text: string, currency: string): number | undefined {
  const digits = digitsOf(currency);
  const form = digits === 0 ? /^\d+$/ : new RegExp(`^\\d+([.,]\\d{1,${digits}})?$`);
  if (!form.test(text)) return undefined;
  const amount = Math.round(Number(text.replace(",", ".")) * 10 ** digits);
  return amount > 0 && Number.isSafeInteger(amount) ? amount : undefined;
}

export function showAmount(amount: number, currency: string): string {
  return `${toUnits(amount, currency)} ${currency.toUpperCase()}`;
}
