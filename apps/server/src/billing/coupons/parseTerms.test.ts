import { expect, test } from "vitest";
import { parseTerms, planOf, trialDaysFrom } from "./parseTerms.ts";

const now = new Date("2026-11-19T12:00:00Z");
const parse = (text: string) => parseTerms(text.split(" ").filter(Boolean), now);

test("all terms of a code are read", () => {
  const options = "--percent 20 --for 6 --plans wordpress_pro,wordpress_business --until 2027-01-31 --count 100";
  expect(parse(`spring-20 ${options} --first-purchase`)).toEqual({
    code: "SPRING-20",
    off: { percent_off: 20 },
    time: { duration: "repeating", duration_in_months: 6 },
    plans: ["wordpress_business", "wordpress_pro"],
    until: Date.UTC(2027, 0, 31, 23, 59, 59) / 1000,
    count: 100,
    firstPurchase: true,
  });
  expect(parse("FIVE --amount 5.00 --currency EUR --for forever")).toEqual({
    code: "FIVE",
    off: { amount_off: 500, currency: "eur" },
    time: { duration: "forever" },
    plans: [],
    until: undefined,
    count: undefined,
    firstPurchase: false,
  });
  expect(parse("YEN --amount 500 --currency jpy")).toMatchObject({
    off: { amount_off: 500, currency: "jpy" },
    time: { duration: "once" },
  });
});

test.each<[string, string]>([
  ["", "A code has 3 to 40"],
  ["AB --percent 5", "A code has 3 to 40"],
  ["SPRING_20 --percent 5", "A code has 3 to 40"],
  ["ONE TWO --percent 5", "Only one code"],
  ["SPRING", "either --percent or --amount"],
  ["SPRING --percent 5 --amount 5 --currency eur", "either --percent or --amount"],
  ["SPRING --percent 0", "--percent is a number"],
  ["SPRING --percent 100.01", "--percent is a number"],
  ["SPRING --percent 5%", "--percent is a number"],
  ["SPRING --percent 5 --currency eur", "--currency goes with --amount"],
  ["SPRING --amount 5", "needs --currency"],
  ["SPRING --amount 5 --currency euro", "needs --currency"],
  ["SPRING --amount 0 --currency eur", "--amount is a sum of eur above 0, such as 5.00"],
  ["SPRING --amount 5.001 --currency eur", "--amount is a sum"],
  ["SPRING --amount 5.00 --currency jpy", "--amount is a sum of jpy above 0, such as 5."],
  ["SPRING --percent 5 --for always", "--for is once"],
  ["SPRING --percent 5 --for 0", "--for is a whole number from 1 to 60"],
  ["SPRING --percent 5 --for 61", "--for is a whole number from 1 to 60"],
  ["SPRING --percent 5 --plans wordpress_huge", "There is no plan wordpress_huge"],
  ["SPRING --percent 5 --until soon", "--until is a date"],
  ["SPRING --percent 5 --until 2027-02-30", "--until is a date"],
  ["SPRING --percent 5 --until 2026-11-18", "is over already"],
  ["SPRING --percent 5 --until 2032-01-01", "five years"],
  ["SPRING --percent 5 --count 0", "--count is a whole number"],
  ["SPRING --percent 5 --count 1.5", "--count is a whole number"],
  ["SPRING --percent 5 --maximum 3", "Unknown option '--maximum'"],
])("%j is refused with a reason", (text, reason) => {
  expect(() => parse(text)).toThrow(reason);
});

test("a trial has 1 to 730 days, or is off", () => {
  expect([trialDaysFrom("14"), trialDaysFrom("off"), planOf("wordpress_pro")]).toEqual([
    14,
    undefined,
    "wordpress_pro",
  ]);
  for (const days of ["0", "731", "two", "-1", ""]) expect(() => trialDaysFrom(days)).toThrow("from 1 to 730");
  expect(() => planOf("pro")).toThrow("There is no plan pro.");
});
