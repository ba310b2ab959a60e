import { buy, newBuyer, openShop, order, pay, planOf, reported } from "@nido/test-kit/shop";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { checkouts, earnings, subscriptions } from "../../db/schema.ts";
import { toCsv, toTable } from "../../platform/table.ts";
import { makeReport } from "./makeReport.ts";
import { currentFigures, lastMonths, type Month, monthlyFigures, type ReportedSubscription } from "./monthlyFigures.ts";

const now = new Date("2026-11-19T12:00:00Z");
const at = (text: string) => new Date(`${text}T09:00:00Z`);

function subscription(changes: Partial<ReportedSubscription>): ReportedSubscription {
  return {
    amount: 600,
    currency: "eur",
    interval: "month",
    createdAt: at("2026-09-10"),
    trialEndsAt: null,
    endedAt: null,
    cancelledAt: null,
    cancelAtPeriodEnd: false,
    pastDueSince: null,
    owedAmount: null,
    ...changes,
  };
}

const history = [
  subscription({}),
  // A twelfth of 59.00 is 4.9167.
  subscription({ amount: 5900, interval: "year", createdAt: at("2026-10-01") }),
  subscription({ amount: 5900, interval: "year", createdAt: at("2026-10-02") }),
  // Ended in the month after its last full one.
  subscription({ createdAt: at("2026-08-31"), endedAt: at("2026-10-31"), cancelledAt: at("2026-09-01") }),
  // In its trial, out of it since this month, and cancelled in it.
  subscription({ amount: 1200, createdAt: at("2026-11-18"), trialEndsAt: at("2026-12-02") }),
  subscription({ amount: 1200, createdAt: at("2026-10-25"), trialEndsAt: at("2026-11-08") }),
  subscription({
    createdAt: at("2026-10-01"),
    trialEndsAt: at("2026-10-15"),
    endedAt: new Date("2026-10-15T09:02:00Z"),
  }),
  subscription({
    createdAt: at("2026-10-20"),
    pastDueSince: at("2026-11-18"),
    owedAmount: 726,
    cancelAtPeriodEnd: true,
  }),
];

test("the figures of a known history are right", () => {
  const months = lastMonths(now, 4);
  expect(months.map(({ name }) => name)).toEqual(["2026-08", "2026-09", "2026-10", "2026-11"]);
  const figures = months.map((month) => monthlyFigures(history, month, now));
  expect(figures).toEqual([
    { mrr: 600, paying: 1, started: 1, ended: 0, trials: 0 },
    { mrr: 1200, paying: 2, started: 1, ended: 0, trials: 0 },
    { mrr: 600 + 983 + 600, paying: 4, started: 3, ended: 1, trials: 2 },
    { mrr: 600 + 983 + 1200 + 600, paying: 5, started: 1, ended: 0, trials: 1 },
  ]);
  expect(currentFigures(history)).toEqual({ ending: 1, overdue: 1, owed: 726 });
});

test("a month begins and ends at midnight in UTC, also over the turn of the year", () => {
  const [december, january] = lastMonths(new Date("2027-01-01T00:00:00Z"), 2) as [Month, Month];
  expect([december.name, january.name]).toEqual(["2026-12", "2027-01"]);
  const last = subscription({ createdAt: new Date("2026-12-31T23:59:59Z") });
  expect(monthlyFigures([last], december, january.start)).toMatchObject({ started: 1, mrr: 600 });
  expect(monthlyFigures([last], january, january.start)).toMatchObject({ started: 0, mrr: 600 });
});

test("subscriptions, payments, refunds and referral debts are reported by currency", async () => {
  const shop = await openShop();
  const { id, headers } = await newBuyer(shop);
  const { db } = shop.server;
  const yen = await shop.stripe.prices.create({
    product: "nido_static_starter",
    currency: "jpy",
    unit_amount: 500,
    recurring: { interval: "month" },
  });
  const { sub_id: subId } = await buy(shop, headers, { plan: await planOf(shop, "static_starter") });
  await buy(shop, headers, { plan: await planOf(shop, "static_starter", "month") });
  const other = await newBuyer(shop);
  await buy(shop, other.headers, { plan: yen.id });
  await shop.click(`/stripe/subscription/${subId}`, "refund");
  const { sub_id: failing } = await buy(shop, other.headers, { plan: yen.id });
  await shop.click(`/stripe/subscription/${failing}`, "failPeriod");
  await reported(shop);
  // A purchase that was refused is in what was paid, and in what was refunded.
  const { id: refused } = (await order(shop, headers)).json<{ id: string }>();
  await db.delete(checkouts).where(eq(checkouts.sessionId, refused));
  await pay(shop, refused);
  const [invoice] = (await shop.stripe.invoices.list({ limit: 1 })).data;
  const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice?.id as string })).data;
  await shop.stripe.refunds.create({ payment_intent: String(payment?.payment.payment_intent) });
  const of = { referrerId: id, currency: "eur", percent: 20, payableAt: new Date() };
  await db.insert(earnings).values([
    { ...of, invoiceId: "in_1", amount: 580 },
    { ...of, invoiceId: "in_2", amount: -80 },
    { ...of, invoiceId: "in_3", amount: 300, state: "requested" },
    { ...of, invoiceId: "in_4", amount: 900, state: "paid" },
  ]);
  // Bought elsewhere in the same account: not ours.
  const stranger = await shop.stripe.customers.create({ email: "a@example.com" });
  const session = await shop.stripe.checkout.sessions.create({
    mode: "subscription",
    customer: stranger.id,
    line_items: [{ price: yen.id, quantity: 1 }],
    success_url: "https://example.com",
  });
  await shop.click(`/stripe/pay/${session.id}`, "pay");
  const [charge] = (await shop.stripe.charges.list({ customer: stranger.id })).data;
  await shop.stripe.refunds.create({ charge: charge?.id as string });

  const [columns, euro, yens, ...before] = await makeReport({ db, stripe: shop.stripe }, 2);
  const named = (row: string[] | undefined) => Object.fromEntries((row ?? []).map((cell, at) => [columns?.[at], cell]));
  expect(named(euro)).toMatchObject({
    currency: "eur",
    mrr: "5.42",
    paying: "2",
    started: "2",
    ended: "0",
    paid: "61.00",
    refunded: "58.00",
    failed: "0",
    ending: "0",
    overdue: "0",
    owed: "0.00",
    referrals_pending: "5.00",
    referrals_requested: "3.00",
  });
  expect(named(yens)).toMatchObject({ currency: "jpy", mrr: "1000", paying: "2", paid: "1000", failed: "1" });
  expect(before.map((row) => row.slice(1, 4))).toEqual([
    ["eur", "0.00", "0"],
    ["jpy", "0", "0"],
  ]);
  expect(before.every((row) => row.slice(-5).join("") === "")).toBe(true);

  await db.update(subscriptions).set({ pastDueSince: new Date(), owedAmount: 3509 }).where(eq(subscriptions.id, subId));
  const [, owing] = await makeReport({ db, stripe: shop.stripe }, 1);
  expect(named(owing)).toMatchObject({ overdue: "1", owed: "35.09", mrr: "5.42" });
});

test("an empty account has a report without rows", async () => {
  const { server, stripe } = await openShop({ works: false });
  expect(await makeReport({ db: server.db, stripe }, 12)).toHaveLength(1);
});

test("a table aligns numbers on the right; a spreadsheet runs no cell of the CSV", () => {
  const rows = [
    ["month", "sum"],
    ["2026-11", "5.00"],
    ["2026-10", "-12.00"],
    ["2026-09", ""],
  ];
  expect(toTable(rows)).toBe("month       sum\n2026-11    5.00\n2026-10  -12.00\n2026-09");
  expect(toCsv(rows)).toBe("month,sum\r\n2026-11,5.00\r\n2026-10,-12.00\r\n2026-09,\r\n");
  const cells = ["=1+1", "+1", "-1+1", "@SUM(A1)", "\t=1", 'a "b", c', "-5.00"];
  expect(toCsv([cells])).toBe(`'=1+1,'+1,'-1+1,'@SUM(A1),'\t=1,"a ""b"", c",-5.00\r\n`);
});
