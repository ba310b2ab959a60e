import { expect, test } from "vitest";
import { isPostalCode, isTelephone, isVatNumber } from "./localRules.ts";

test.each([
  ["28013", "ES", true],
  ["52001", "ES", true],
  ["53001", "ES", false],
  ["00123", "ES", false],
  ["2801", "ES", false],
  ["1000-205", "PT", true],
  ["1000205", "PT", true],
  ["sw1a 1aa", "GB", true],
  ["12345", "GB", false],
  ["10115", "DE", true],
  ["90210-1234", "US", true],
  ["ANYTHING", "AO", true],
  ["12-XY", "", true],
  ["", "ES", true],
])("postal code %j in %s: %s", (typed, country, expected) => {
  expect(isPostalCode(typed, country)).toBe(expected);
});

test.each([
  ["+34 600 11 22 33", "", true],
  ["0034600112233", "", true],
  ["600 11 22 33", "ES", true],
  ["600 11 22", "ES", false],
  ["+34 600 11 22", "ES", false],
  ["+44 (0)20 7946 0958", "ES", true],
  ["020 7946 0958", "GB", true],
  ["+1 (212) 555-0100", "", true],
  ["+1 212 555", "", false],
  ["+244 923 000 000", "", true],
  ["+2", "", false],
  ["11 15 1234-5678", "AR", true],
  ["1 212 555 1234", "US", true],
  ["123", "", false],
  ["12345678901234567", "", false],
  ["", "ES", true],
])("telephone %j in %s: %s", (typed, country, expected) => {
  expect(isTelephone(typed, country)).toBe(expected);
});

test.each([
  ["12345678Z", "ES", true],
  ["ES12345678Z", "", true],
  ["X1234567L", "ES", true],
  ["B58818501", "ES", true],
  ["ES-B58818501", "ES", true],
  ["Q2826000H", "ES", true],
  ["ESXX", "ES", false],
  ["1234567", "ES", false],
  ["B5881850", "ES", false],
  ["DE123456789", "ES", true],
  ["DE12345678", "ES", false],
  ["123456789", "DE", true],
  ["PT123456789", "", true],
  ["FRXX123456789", "", true],
  ["EL123456789", "GR", true],
  ["123456789", "GR", true],
  ["NL123456789B01", "", true],
  ["20-12345678-9", "AR", true],
  ["ROMA800101XX1", "MX", true],
  ["12", "AR", false],
  ["", "ES", true],
])("VAT number %j in %s: %s", (typed, country, expected) => {
  expect(isVatNumber(typed, country)).toBe(expected);
});
