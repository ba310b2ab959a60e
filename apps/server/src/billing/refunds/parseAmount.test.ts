import { expect, test } from "vitest";
import { parseAmount, showAmount } from "./parseAmount.ts";

test.each([
  ["12.50", "eur", 1250],
  ["12,5", "eur", 1250],
  ["0.29", "eur", 29],
  ["19.99", "usd", 1999],
  ["500", "jpy", 500],
  ["9990", "clp", 9990],
  ["1.234", "kwd", 1234],
  ["5", "isk", 500],
  ["5", "ugx", 500],
])("%s %s are %d", (text, currency, amount) => {
  expect(parseAmount(text, currency)).toBe(amount);
});

test.each([
  ["0", "eur"],
  ["-5", "eur"],
  ["12.345", "eur"],
  ["1.000,50", "eur"],
  ["5.5", "jpy"],
  ["1e3", "eur"],
  ["", "eur"],
  ["all", "eur"],
  ["99999999999999999", "eur"],
])("%s is no amount in %s", (text, currency) => {
  expect(parseAmount(text, currency)).toBeUndefined();
});

test("amounts are shown in the currency's own unit", () => {
  expect([showAmount(1250, "eur"), showAmount(500, "jpy"), showAmount(1234, "kwd")]).toEqual([
    "12.50 EUR",
    "500 JPY",
    "1.234 KWD",
  ]);
});
