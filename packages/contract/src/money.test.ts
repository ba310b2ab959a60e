import { describe, expect, test } from "vitest";
import { formatMoney, fromUnits, toUnits } from "./money.ts";

/** As it reads on screens and in messages; the space before or after the currency does not break. */
const plain = (text: string) => text.replace(/\s/g, " ");

describe.each([
  // currency, amount, Spanish, English, in lists
  ["eur", 5900, "59,00 €", "€59.00", "59.00"],
  ["EUR", 1, "0,01 €", "€0.01", "0.01"],
  ["usd", 123456, "1234,56 USD", "USD 1,234.56", "1234.56"],
  ["jpy", 5900, "5900 JPY", "JPY 5,900", "5900"],
  ["clp", 45990, "45.990 CLP", "CLP 45,990", "45990"],
  ["kwd", 1500, "1,500 KWD", "KWD 1.500", "1.500"],
  ["isk", 590000, "5900 ISK", "ISK 5,900", "5900.00"],
  ["huf", 590000, "5900 HUF", "HUF 5,900", "5900.00"],
  ["huf", 590050, "5900,50 HUF", "HUF 5,900.50", "5900.50"],
])("%s %i", (currency, amount, es, en, listed) => {
  test("is written with the digits of its currency", () => {
    expect([plain(formatMoney(amount, currency, "es")), plain(formatMoney(amount, currency, "en"))]).toEqual([es, en]);
  });

  test("is listed as a number, and read back", () => {
    expect(toUnits(amount, currency)).toBe(listed);
    expect(fromUnits(listed, currency)).toBe(amount);
  });
});
