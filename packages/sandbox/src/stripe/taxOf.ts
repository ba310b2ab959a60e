import type { Objects } from "./objects.ts";

const spanishVatRate = 0.21;

/** The stand-in's account is registered for VAT in Spain only, so other countries are not taxed. */
export function taxOf(isAutomatic: boolean, customer: Objects["customer"] | undefined, net: number): number {
  return isAutomatic && customer?.address?.country === "ES" ? Math.round(net * spanishVatRate) : 0;
}
