import type { CheckoutSession } from "@nido/contract";
import { dropAnswers } from "@nido/test-kit/dropAnswers";
import { readOutbox } from "@nido/test-kit/outbox";
import { newBuyer, openShop, order, pay } from "@nido/test-kit/shop";
import { eq, sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { activity, projects, refunds, users } from "../../db/schema.ts";
import { findPending } from "../../referrals/queries.ts";
import type { StripeAccess } from "../Billing.ts";
import { refundInvoice } from "./refundInvoice.ts";

/** A paid invoice of 23.20 EUR, whose referrer earns a tenth. */
async function openPaid(options: { through?: (access: StripeAccess) => Promise<StripeAccess> } = {}) {
  const shop = await openShop({ works: false, delivers: false, ...options });
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  await pay(shop, (await order(shop, buyer.headers, { promo: row?.refcode as string })).json<CheckoutSession>().id);
  const reconcile = async () => {
    await shop.server.db.execute(sql`select graphile_worker.add_job('reconcile')`);
    await shop.work();
  };
  await reconcile();
  const [project] = await shop.server.db.select().from(projects);
  const [invoice] = (await shop.stripe.invoices.list()).data;
  const number = invoice?.number as string;
  return {
    shop,
    buyer,
    number,
    invoiceId: invoice?.id as string,
    reconcile,
    control: (action: string) => shop.click(`/stripe/subscription/${project?.subId}`, action),
    refund: (amount?: string, more: { isAgain?: boolean; invoice?: string; reason?: "duplicate" } = {}) =>
      refundInvoice(shop.server.billing, {
        invoice: number,
        amount,
        reason: "requested_by_customer",
        isAgain: false,
        ...more,
      }),
    amounts: async () => (await shop.stripe.refunds.list()).data.map(({ amount }) => amount).reverse(),
    earned: async () => (await findPending(shop.server.db, referrer.id)).map(({ sum }) => sum),
  };
}

test("an invoice is refunded in parts and then the rest, told each time, and its earning follows", async () => {
  const { shop, buyer, invoiceId, refund, amounts, earned, reconcile } = await openPaid();
  expect(await refund("3.20")).toMatchObject({ state: "refunded", amount: 320, currency: "eur", subId: null });
  await reconcile();
  expect(await earned()).toEqual([200]);
  expect(await refund("10", { invoice: invoiceId, reason: "duplicate" })).toMatchObject({ amount: 1000 });
  expect(await refund()).toMatchObject({ amount: 1000, state: "refunded" });
  await reconcile();
  expect(await earned()).toEqual([]);
  expect(await amounts()).toEqual([320, 1000, 1000]);
  const { data } = await shop.stripe.refunds.list();
  expect(data.map(({ reason }) => reason)).toEqual(["requested_by_customer", "duplicate", "requested_by_customer"]);
  await expect(refund()).rejects.toThrow(/Nothing of the invoice .* is left/);

  const messages = (await readOutbox(shop.server)).filter(({ template }) => template === "refunded");
  expect(messages.map(({ to, params }) => [to, params["amount"]])).toEqual([
    [buyer.email, 320],
    [buyer.email, 1000],
    [buyer.email, 1000],
  ]);
  const entries = await shop.server.db.select().from(activity).where(eq(activity.kind, "paymentRefunded"));
  expect(entries).toHaveLength(3);
  expect(entries[0]).toMatchObject({ userId: buyer.id, actor: { kind: "operator" } });
});

test("the same refund is not made twice, unless it is asked for", async () => {
  const { refund, amounts } = await openPaid();
  await refund("5");
  await expect(refund("5")).rejects.toThrow(/5.00 EUR were refunded on .* --again/);
  expect(await amounts()).toEqual([500]);
  await refund("5", { isAgain: true });
  expect(await amounts()).toEqual([500, 500]);
});

test("a refund that was interrupted is completed by the same command, and by reconcile", async () => {
  // All attempts of the first call lose their answers, after the provider has made the refund.
  const byCommand = await openPaid({ through: (access) => dropAnswers(access, 3, "/v1/refunds") });
  await expect(byCommand.refund("5")).rejects.toThrow();
  expect(await byCommand.amounts()).toEqual([500]);
  await expect(byCommand.refund("7")).rejects.toThrow(/not finished yet/);
  expect(await byCommand.refund("5")).toMatchObject({ state: "refunded" });
  expect(await byCommand.amounts()).toEqual([500]);
  expect(await byCommand.shop.server.db.$count(refunds)).toBe(1);

  const byReconcile = await openPaid({ through: (access) => dropAnswers(access, 3, "/v1/refunds") });
  await expect(byReconcile.refund()).rejects.toThrow();
  await byReconcile.reconcile();
  expect(await byReconcile.shop.server.db.select().from(refunds)).toMatchObject([{ state: "refunded", amount: 2320 }]);
  expect(await byReconcile.amounts()).toEqual([2320]);
  await expect(byReconcile.refund()).rejects.toThrow(/Nothing/);
});

test("of ten refunds at once, one is made", async () => {
  const { refund, amounts, shop } = await openPaid();
  const results = await Promise.allSettled(Array.from({ length: 10 }, () => refund("5")));
  expect(results.some(({ status }) => status === "fulfilled")).toBe(true);
  expect(await amounts()).toEqual([500]);
  expect(await shop.server.db.$count(refunds)).toBe(1);
});

test("more than is left, a malformed amount, an unknown invoice and a disputed payment are refused", async () => {
  const { refund, amounts, control, shop, reconcile } = await openPaid();
  await expect(refund("23.21")).rejects.toThrow("Only 23.20 EUR are left to refund.");
  await expect(refund("5.001")).rejects.toThrow("5.001 is not an amount in EUR.");
  await expect(refund("5", { invoice: "NONE-0001" })).rejects.toThrow("There is no invoice NONE-0001.");
  await expect(refund("5", { invoice: 'x" OR total>0' })).rejects.toThrow("There is no invoice");
  await control("dispute");
  await expect(refund("5")).rejects.toThrow(/is disputed/);
  await control("winDispute");
  expect(await shop.server.db.$count(refunds)).toBe(0);
  expect(await refund("5")).toMatchObject({ state: "refunded" });
  await reconcile();
  expect(await amounts()).toEqual([500]);
});

test("a refund that the bank returned is listed with the reason, and gives the earning back", async () => {
  const { shop, refund, control, earned, reconcile } = await openPaid();
  await control("slowRefunds");
  expect(await refund()).toMatchObject({ state: "pending" });
  await reconcile();
  expect(await earned()).toEqual([]);
  await control("failRefund");
  await reconcile();
  expect(await earned()).toEqual([232]);
  expect(await shop.server.db.select().from(refunds)).toMatchObject([
    { state: "failed", problem: "the bank returned it: expired_or_canceled_card" },
  ]);
});
