import { euCountries } from "@nido/contract";
import type { Stripe } from "stripe";

interface TaxId {
  type: Stripe.TaxIdCreateParams.Type;
  value: string;
}

/** The pattern of a number without separators, and the provider's format if it differs. */
type Rule = [type: TaxId["type"], number: RegExp, written?: string];

/** National tax numbers for invoices, by country. `toTaxId` handles the VAT numbers of the European Union. */
const rules: Partial<Record<string, Rule[]>> = {
  AD: [["ad_nrt", /^([A-Z])(\d{6})([A-Z])$/, "$1-$2-$3"]],
  AE: [["ae_trn", /^\d{15}$/]],
  AR: [["ar_cuit", /^(\d{2})(\d{7})(\d{2})$/, "$1-$2-$3"]],
  AU: [["au_abn", /^\d{11}$/]],
  BO: [["bo_tin", /^\d{9}$/]],
  BR: [
    ["br_cnpj", /^(\d{2})(\d{3})(\d{3})(\d{4})(\d{2})$/, "$1.$2.$3/$4-$5"],
    ["br_cpf", /^(\d{3})(\d{3})(\d{3})(\d{2})$/, "$1.$2.$3-$4"],
  ],
  CA: [
    ["ca_gst_hst", /^\d{9}RT\d{4}$/],
    ["ca_bn", /^\d{9}$/],
  ],
  CH: [
    ["ch_vat", /^(?:CHE)?(\d{3})(\d{3})(\d{3})(MWST|TVA|IVA)$/, "CHE-$1.$2.$3 $4"],
    ["ch_uid", /^(?:CHE)?(\d{3})(\d{3})(\d{3})$/, "CHE-$1.$2.$3"],
  ],
  CL: [["cl_tin", /^(\d{1,2})(\d{3})(\d{3})([\dK])$/, "$1.$2.$3-$4"]],
  CO: [["co_nit", /^(\d{3})(\d{3})(\d{3})(\d)$/, "$1.$2.$3-$4"]],
  CR: [["cr_tin", /^(\d)(\d{3})(\d{6})$/, "$1-$2-$3"]],
  DO: [["do_rcn", /^(\d{3})(\d{7})(\d)$/, "$1-$2-$3"]],
  EC: [["ec_ruc", /^\d{13}$/]],
  ES: [["es_cif", /^([A-Z]\d{7}[A-Z\d]|\d{8}[A-Z])$/]],
  GB: [["gb_vat", /^(?:GB)?(\d{9}|\d{12}|GD\d{3}|HA\d{3})$/, "GB$1"]],
  IL: [["il_vat", /^\d{9}$/]],
  IN: [["in_gst", /^\d{2}[A-Z\d]{13}$/]],
  IS: [["is_vat", /^\d{5,6}$/]],
  JP: [["jp_trn", /^T\d{13}$/]],
  KR: [["kr_brn", /^(\d{3})(\d{2})(\d{5})$/, "$1-$2-$3"]],
  LI: [["li_vat", /^\d{5}$/]],
  MA: [["ma_vat", /^\d{8}$/]],
  MX: [["mx_rfc", /^[A-ZÑ&]{3,4}\d{6}[A-Z\d]{3}$/]],
  NO: [["no_vat", /^(?:NO)?(\d{9})(?:MVA)?$/, "$1MVA"]],
  NZ: [["nz_gst", /^\d{9}$/]],
  PE: [["pe_ruc", /^\d{11}$/]],
  RS: [["rs_pib", /^\d{9}$/]],
  SG: [["sg_gst", /^[A-Z]\d{8}[A-Z]$/]],
  SV: [["sv_nit", /^(\d{4})(\d{6})(\d{3})(\d)$/, "$1-$2-$3-$4"]],
  TR: [["tr_tin", /^\d{10}$/]],
  UA: [["ua_vat", /^\d{9}$/]],
  US: [["us_ein", /^(\d{2})(\d{7})$/, "$1-$2"]],
  UY: [["uy_ruc", /^\d{12}$/]],
  VE: [["ve_rif", /^([A-Z])(\d{8})(\d)$/, "$1-$2-$3"]],
  ZA: [["za_vat", /^\d{10}$/]],
};

/** VAT prefixes: Greece uses EL, Northern Ireland uses XI. */
const euPrefixes = [...euCountries, "EL", "XI"];

/** The typed VAT number as the provider's tax id; undefined if the country is unknown, or has another kind of number. */
export function toTaxId(typed: string, country: string): TaxId | undefined {
  const number = typed.toUpperCase().replace(/[\s./-]/g, "");
  for (const [type, pattern, written] of rules[country] ?? [])
    if (pattern.test(number)) return { type, value: written ? number.replace(pattern, written) : number };
  if (euPrefixes.includes(number.slice(0, 2))) return { type: "eu_vat", value: number.replace(/^GR/, "EL") };
  if (/^GB\d/.test(number)) return { type: "gb_vat", value: number };
  if (number === "" || !euCountries.includes(country)) return undefined;
  return { type: "eu_vat", value: `${country === "GR" ? "EL" : country}${number}` };
}
