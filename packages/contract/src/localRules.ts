/**
 * What a postal code, a telephone number and a VAT number look like, by country. Countries without a rule accept
 * anything of a plausible length. A table instead of a library: libphonenumber-js alone would add 20 kB to the dashboard.
 */

const fourDigits = /^\d{4}$/;
const fiveDigits = /^\d{5}$/;
const sixDigits = /^\d{6}$/;

const postalCodes: Partial<Record<string, RegExp>> = {
  AD: /^AD\d{3}$/,
  AR: /^([A-Z]\d{4}[A-Z]{3}|\d{4})$/,
  AT: fourDigits,
  BE: fourDigits,
  BG: fourDigits,
  BR: /^\d{5}-?\d{3}$/,
  CA: /^[A-Z]\d[A-Z] ?\d[A-Z]\d$/,
  CH: fourDigits,
  CL: /^\d{3}-?\d{4}$/,
  CO: sixDigits,
  CZ: /^\d{3} ?\d{2}$/,
  DE: fiveDigits,
  DK: fourDigits,
  EC: sixDigits,
  EE: fiveDigits,
  ES: /^(0[1-9]|[1-4]\d|5[0-2])\d{3}$/,
  FI: fiveDigits,
  FR: fiveDigits,
  GB: /^[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2}$/,
  GR: /^\d{3} ?\d{2}$/,
  HR: fiveDigits,
  HU: fourDigits,
  IE: /^[A-Z]\d[\dW] ?[A-Z\d]{4}$/,
  IT: fiveDigits,
  LT: /^(LT-)?\d{5}$/,
  LU: /^(L-)?\d{4}$/,
  LV: /^(LV-)?\d{4}$/,
  MX: fiveDigits,
  NL: /^\d{4} ?[A-Z]{2}$/,
  NO: fourDigits,
  PE: fiveDigits,
  PL: /^\d{2}-?\d{3}$/,
  PT: /^\d{4}-?\d{3}$/,
  RO: sixDigits,
  SE: /^\d{3} ?\d{2}$/,
  SI: fourDigits,
  SK: /^\d{3} ?\d{2}$/,
  US: /^\d{5}(-\d{4})?$/,
  UY: fiveDigits,
  VE: fourDigits,
};

export function isPostalCode(typed: string, country: string): boolean {
  const rule = postalCodes[country];
  return typed === "" || !rule || rule.test(typed.trim().toUpperCase());
}

/** The country's calling code and how many digits follow it, without a leading zero. */
const telephones: Partial<Record<string, [code: string, min: number, max: number]>> = {
  AD: ["376", 6, 9],
  AR: ["54", 10, 12],
  AT: ["43", 4, 13],
  BE: ["32", 8, 9],
  BR: ["55", 10, 11],
  CH: ["41", 9, 9],
  CL: ["56", 9, 9],
  CO: ["57", 10, 10],
  DE: ["49", 5, 13],
  DK: ["45", 8, 8],
  EC: ["593", 8, 9],
  ES: ["34", 9, 9],
  FR: ["33", 9, 9],
  GB: ["44", 9, 10],
  IE: ["353", 7, 10],
  IT: ["39", 6, 11],
  MX: ["52", 10, 11],
  NL: ["31", 9, 9],
  PE: ["51", 8, 9],
  PL: ["48", 9, 9],
  PT: ["351", 9, 9],
  SE: ["46", 7, 10],
  US: ["1", 10, 10],
  UY: ["598", 8, 8],
  VE: ["58", 10, 10],
};

/** An international number begins with + or 00; any other is one of the given country. */
export function isTelephone(typed: string, country = ""): boolean {
  if (typed === "") return true;
  const isInternational = /^(\+|00)/.test(typed);
  const digits = typed.replace(/^00/, "").replace(/\D/g, "");
  if (!isInternational) {
    const [code, min, max] = telephones[country] ?? ["", 6, 12];
    const isWhole = (number: string) => hasLength(number.replace(/^0/, ""), min, max);
    return isWhole(digits) || (code !== "" && digits.startsWith(code) && isWhole(digits.slice(code.length)));
  }
  // The country's number may be written with its leading zero: +44 (0)20 7946 0958.
  const rule = Object.values(telephones).find((known) => known && digits.startsWith(known[0]));
  if (!rule) return hasLength(digits, 7, 15);
  const [code, min, max] = rule;
  return hasLength(digits.slice(code.length).replace(/^0/, ""), min, max);
}

function hasLength({ length }: string, min: number, max: number): boolean {
  return length >= min && length <= max;
}

/** VAT numbers of the European Union, after the letters of the country. */
const vatNumbers: Partial<Record<string, RegExp>> = {
  AT: /^U\d{8}$/,
  BE: /^[01]\d{9}$/,
  BG: /^\d{9,10}$/,
  CY: /^\d{8}[A-Z]$/,
  CZ: /^\d{8,10}$/,
  DE: /^\d{9}$/,
  DK: /^\d{8}$/,
  EE: /^\d{9}$/,
  EL: /^\d{9}$/,
  ES: /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/,
  FI: /^\d{8}$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/,
  HR: /^\d{11}$/,
  HU: /^\d{8}$/,
  IE: /^\d[A-Z0-9+*]\d{5}[A-Z]{1,2}$/,
  IT: /^\d{11}$/,
  LT: /^(\d{9}|\d{12})$/,
  LU: /^\d{8}$/,
  LV: /^\d{11}$/,
  MT: /^\d{8}$/,
  NL: /^\d{9}B\d{2}$/,
  PL: /^\d{10}$/,
  PT: /^\d{9}$/,
  RO: /^\d{2,10}$/,
  SE: /^\d{12}$/,
  SI: /^\d{8}$/,
  SK: /^\d{10}$/,
};

/** With or without the letters of the country. */
export function isVatNumber(typed: string, country: string): boolean {
  const text = typed.toUpperCase().replace(/[ ./-]/g, "");
  if (text === "") return true;
  const named = vatNumbers[text.slice(0, 2)];
  if (named?.test(text.slice(2))) return true;
  // The letters may also be the beginning of a number of the customer's own country.
  const own = vatNumbers[country === "GR" ? "EL" : country] ?? (country === "" ? named : undefined);
  return own ? own.test(text) : hasLength(text, 4, 20);
}
