import { expect, test } from "vitest";
import { estimateVat, euCountries } from "./vat.ts";

const person = { country: "ES", zipcode: "11001", invoice_tax_id: "" };
const business = {
  ...person,
  country: "DE",
  invoice_tax_id: "DE123456789",
  invoice_tax_id_status: "verified",
} as const;

test.each([
  ["a person in Spain", person, "ES", 21],
  ["a person in Finland", { ...person, country: "FI" }, "ES", 25.5],
  ["a person in Greece", { ...person, country: "GR" }, null, 24],
  ["a person without a country", { ...person, country: "" }, "ES", undefined],
  ["a person in the United States", { ...person, country: "US" }, "ES", 0],
  ["a person in the Canary Islands", { ...person, zipcode: "38001" }, "ES", 0],
  ["a person in Ceuta", { ...person, zipcode: "51001" }, "ES", 0],
  ["a business in another country", business, "ES", 0],
  ["a business in our country", business, "DE", 19],
  ["a business, while our country is not known", business, null, undefined],
  ["a business whose number is being checked", { ...business, invoice_tax_id_status: "pending" }, "ES", 0],
  ["a business whose number is not verified", { ...business, invoice_tax_id_status: "unverified" }, "ES", 19],
  ["a business in Greece", { ...business, country: "GR", invoice_tax_id: "EL123456789" }, "ES", 0],
  ["a company with a national number", { ...person, invoice_tax_id: "B12345678" }, "ES", 21],
  ["a British company", { ...business, country: "GB", invoice_tax_id: "GB123456789" }, "ES", 0],
] as const)("%s", (_who, buyer, seller, percent) => {
  expect(estimateVat(buyer, seller)).toBe(percent);
});

test("the table has all countries of the Union", () => {
  expect(euCountries).toHaveLength(27);
});
