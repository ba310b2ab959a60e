import { expect, test } from "vitest";
import { toTaxId } from "./toTaxId.ts";

test.each([
  ["ES B-12345678", "ES", "eu_vat", "ESB12345678"],
  ["b12345678", "ES", "es_cif", "B12345678"],
  ["12345678z", "ES", "es_cif", "12345678Z"],
  ["PT 123456789", "PT", "eu_vat", "PT123456789"],
  ["123456789", "PT", "eu_vat", "PT123456789"],
  ["123456789", "GR", "eu_vat", "EL123456789"],
  ["GR123456789", "GR", "eu_vat", "EL123456789"],
  ["DE 123456789", "", "eu_vat", "DE123456789"],
  ["XI123456789", "GB", "eu_vat", "XI123456789"],
  ["GB 123 456 789", "GB", "gb_vat", "GB123456789"],
  ["123456789", "GB", "gb_vat", "GB123456789"],
  ["GB 123 456 789", "ES", "gb_vat", "GB123456789"],
  ["def 010203 ab9", "MX", "mx_rfc", "DEF010203AB9"],
  ["CHE-123.456.789 MWST", "CH", "ch_vat", "CHE-123.456.789 MWST"],
  ["123.456.789", "CH", "ch_uid", "CHE-123.456.789"],
  ["CHE123456789", "CH", "ch_uid", "CHE-123.456.789"],
  ["12-3456789", "US", "us_ein", "12-3456789"],
  ["123456789", "US", "us_ein", "12-3456789"],
  ["12.345.678-k", "CL", "cl_tin", "12.345.678-K"],
  ["01.234.456/5432-10", "BR", "br_cnpj", "01.234.456/5432-10"],
  ["123456789 MVA", "NO", "no_vat", "123456789MVA"],
  ["987654321RT0001", "CA", "ca_gst_hst", "987654321RT0001"],
])("%s in %s is the %s %s", (typed, country, type, value) => {
  expect(toTaxId(typed, country)).toEqual({ type, value });
});

test.each([
  ["", "ES"],
  ["B12345678", ""],
  ["12345", "KE"],
  ["1", "US"],
])("%j in %j is none", (typed, country) => {
  expect(toTaxId(typed, country)).toBeUndefined();
});
