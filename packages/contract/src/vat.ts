import type { TaxIdStatus } from "./billedDetails.ts";

/**
 * The standard rates of VAT in the European Union, in percent, as of 1 January 2026. Source: European Commission, Taxes
 * in Europe Database. They serve estimates only: what is charged is computed by the payment provider.
 */
const rates: Partial<Record<string, number>> = {
  AT: 20,
  BE: 21,
  BG: 20,
  CY: 19,
  CZ: 21,
  DE: 19,
  DK: 25,
  EE: 24,
  ES: 21,
  FI: 25.5,
  FR: 20,
  GR: 24,
  HR: 25,
  HU: 27,
  IE: 23,
  IT: 22,
  LT: 21,
  LU: 17,
  LV: 21,
  MT: 18,
  NL: 21,
  PL: 23,
  PT: 23,
  RO: 21,
  SE: 25,
  SI: 22,
  SK: 23,
};

export const euCountries = Object.keys(rates);

interface Buyer {
  country: string;
  zipcode: string;
  /** as on invoices */
  invoice_tax_id: string;
  invoice_tax_id_status?: TaxIdStatus;
}

/** The VAT that a buyer probably pays, in percent; undefined if it is not known. `seller`: our country, if known. */
export function estimateVat(buyer: Buyer, seller: string | null): number | undefined {
  if (buyer.country === "") return undefined;
  const rate = rates[buyer.country];
  if (rate === undefined || isOutsideVat(buyer)) return 0;
  if (!isBusiness(buyer)) return rate;
  // A business in another country of the Union owes the tax itself (reverse charge).
  if (seller === null) return undefined;
  return buyer.country === seller ? rate : 0;
}

/** The number of a business in the Union begins with its country; a national tax number does not count. */
function isBusiness({ invoice_tax_id: number, invoice_tax_id_status: status }: Buyer): boolean {
  const country = number.slice(0, 2).replace("EL", "GR");
  return status !== undefined && status !== "unverified" && rates[country] !== undefined;
}

/** The Canary Islands, Ceuta and Melilla are in Spain, and not in the VAT area. */
function isOutsideVat({ country, zipcode }: Buyer): boolean {
  return country === "ES" && /^(35|38|51|52)\d{3}$/.test(zipcode.trim());
}
