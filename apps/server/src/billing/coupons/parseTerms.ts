import { parseArgs } from "node:util";
import { type Recipe, recipes } from "@nido/contract";
import { maxTrialDays } from "../catalogue/trialDaysOf.ts";
import { parseAmount } from "../refunds/parseAmount.ts";

/** What operators offer with a code. */
export interface CouponTerms {
  code: string;
  off: { percent_off: number } | { amount_off: number; currency: string };
  time: { duration: "once" | "forever" } | { duration: "repeating"; duration_in_months: number };
  /** the plans that it counts for; empty: all */
  plans: Recipe[];
  /** the last second at which it can be used, in seconds since 1970 */
  until: number | undefined;
  /** how often it can be used, by all customers together */
  count: number | undefined;
  firstPurchase: boolean;
}

const options = {
  percent: { type: "string" },
  amount: { type: "string" },
  currency: { type: "string" },
  for: { type: "string", default: "once" },
  plans: { type: "string" },
  until: { type: "string" },
  count: { type: "string" },
  "first-purchase": { type: "boolean", default: false },
} as const;

const maxMonths = 60;
const maxCount = 1_000_000;
/** The provider accepts dates of the next five years. */
const maxDays = 5 * 365;
const dayMs = 24 * 60 * 60 * 1000;

/** Reads the arguments of `npm run coupons -- create`. Throws a sentence for the operator about what is wrong. */
export function parseTerms(args: string[], now = new Date()): CouponTerms {
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  const [code = "", ...others] = positionals;
  if (others.length > 0) throw new Error(`Only one code can be created at a time, not also ${others.join(", ")}.`);
  return {
    code: codeOf(code),
    off: offOf(values.percent, values.amount, values.currency?.toLowerCase()),
    time: timeOf(values.for),
    plans: plansOf(values.plans),
    until: values.until === undefined ? undefined : endOf(values.until, now),
    count: values.count === undefined ? undefined : integer("--count", values.count, maxCount),
    firstPurchase: values["first-purchase"],
  };
}

export function codeOf(text: string): string {
  const code = text.toUpperCase();
  if (!/^[A-Z0-9][A-Z0-9-]{2,39}$/.test(code))
    throw new Error("A code has 3 to 40 letters from A to Z, digits and hyphens, such as SPRING-20.");
  return code;
}

function offOf(percent: string | undefined, amount: string | undefined, currency: string | undefined) {
  if ((percent === undefined) === (amount === undefined))
    throw new Error("Give either --percent or --amount, such as --percent 20 or --amount 5.00 --currency eur.");
  if (percent !== undefined) {
    if (currency !== undefined) throw new Error("--currency goes with --amount only.");
    const percent_off = /^\d{1,3}(\.\d{1,2})?$/.test(percent) ? Number(percent) : 0;
    if (percent_off <= 0 || percent_off > 100)
      throw new Error("--percent is a number above 0 and up to 100, with two decimals at most.");
    return { percent_off };
  }
  if (currency === undefined || !/^[a-z]{3}$/.test(currency))
    throw new Error("--amount needs --currency with three letters, such as --currency eur.");
  const amount_off = parseAmount(amount ?? "", currency);
  if (amount_off === undefined || amount_off > 99_999_999)
    throw new Error(
      `--amount is a sum of ${currency} above 0, such as ${parseAmount("5.00", currency) ? "5.00" : "5"}.`,
    );
  return { amount_off, currency };
}

function timeOf(text: string): CouponTerms["time"] {
  if (text === "once" || text === "forever") return { duration: text };
  if (!/^\d+$/.test(text)) throw new Error("--for is once, forever, or a number of months, such as --for 6.");
  return { duration: "repeating", duration_in_months: integer("--for", text, maxMonths) };
}

function plansOf(text: string | undefined): Recipe[] {
  if (text === undefined) return [];
  return [...new Set(text.split(",").map(planOf))].sort();
}

export function planOf(text: string): Recipe {
  const plan = recipes.find((recipe) => recipe === text.trim());
  if (!plan) throw new Error(`There is no plan ${text.trim()}. The plans are ${recipes.join(", ")}.`);
  return plan;
}

/** The days of a trial; undefined for `off`. */
export function trialDaysFrom(text: string): number | undefined {
  return text === "off" ? undefined : integer("The number of days", text, maxTrialDays);
}

/** The end of a day, in UTC. */
function endOf(text: string, now: Date): number {
  const day = new Date(`${text}T00:00:00Z`);
  // An impossible date such as 2027-02-30 becomes another one.
  if (!/^\d{4}-\d\d-\d\d$/.test(text) || Number.isNaN(day.getTime()) || day.toISOString().slice(0, 10) !== text)
    throw new Error("--until is a date, such as 2027-01-31.");
  const end = day.getTime() + dayMs - 1000;
  if (end <= now.getTime()) throw new Error(`--until ${text} is over already.`);
  if (end > now.getTime() + maxDays * dayMs) throw new Error("--until can be at most five years ahead.");
  return end / 1000;
}

function integer(name: string, text: string, most: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value < 1 || value > most) throw new Error(`${name} is a whole number from 1 to ${most}.`);
  return value;
}
