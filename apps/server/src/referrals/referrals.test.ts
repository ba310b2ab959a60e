import type { Referral } from "@nido/contract";
import { readOutbox } from "@nido/test-kit/outbox";
import { buy, type Headers, newBuyer, openShop, order, pay, type Shop } from "@nido/test-kit/shop";
import { deliver, eventsOf } from "@nido/test-kit/stripeEvents";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import type { Stripe } from "stripe";
import { expect, test } from "vitest";
import { earnings, users } from "../db/schema.ts";
import { ibanOf } from "./ibanOf.ts";
import { markPayoutPaid } from "./markPayoutPaid.ts";
import { findPending, findRefusedEarnings, findRequestedPayouts } from "./queries.ts";
import { recordEarning } from "./recordEarning.ts";

async function referralOf({ server }: Shop, headers: Headers): Promise<Referral> {
  return (await server.app.inject({ url: "/api/referral", headers })).json();
}

const iban = "ES91 2100 0418 4502 0005 1332";

async function requestPayout({ server }: Shop, headers: Headers) {
  const { iban: known } = (await server.app.inject({ url: "/api/referral", headers })).json();
  if (!known) await server.app.inject({ method: "PUT", url: "/api/referral/iban", headers, payload: { iban } });
  return server.app.inject({ method: "POST", url: "/api/referral/payout", headers, payload: {} });
}

/** The pending sums of a referrer, without the payable parts. */
async function pendingOf(shop: Shop, headers: Headers) {
  return (await referralOf(shop, headers)).pending.map(({ sum, currency }) => ({ sum, currency }));
}

/** Ends the holding period of all earnings. */
async function endHolding({ server }: Shop) {
  await server.db.update(earnings).set({ payableAt: sql`now()` });
}

/** A referrer, a buyer who used their refcode, and a check of the referrer's pending sum. */
async function invited(shop: Shop) {
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const project = await buy(shop, buyer.headers, { promo: row?.refcode as string });
  const control = (action: string) => shop.click(`/stripe/subscription/${project.sub_id}`, action);
  // Not by HTTP: this is repeated so often that it would use up the limit on requests.
  const pendingIs = (...pending: { sum: number; currency: string }[]) =>
    eventually(async () => {
      const found = await findPending(shop.server.db, referrer.id);
      expect(found.map(({ sum, currency }) => ({ sum, currency }))).toEqual(pending);
    });
  return { referrer, buyer, project, control, pendingIs };
}

test("each paid invoice earns its percentage; one of ten concurrent payout requests succeeds and is marked paid once", async () => {
  const shop = await openShop({ env: { REFERRAL_EARNING_PERCENT: "15" } });
  const { referrer, buyer, control, pendingIs } = await invited(shop);
  expect((await referralOf(shop, referrer.headers)).info).toEqual({ percent_off: 20, duration: "once" });
  await pendingIs({ sum: 348, currency: "eur" }); // 15 % of 23.20
  await control("endPeriod");
  await pendingIs({ sum: 348 + 435, currency: "eur" }); // the second year at full price
  expect((await referralOf(shop, buyer.headers)).pending).toEqual([]);

  await endHolding(shop);
  const responses = await Promise.all(Array.from({ length: 10 }, () => requestPayout(shop, referrer.headers)));
  expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([202, ...Array(9).fill(409)]);
  await pendingIs();
  const [payout, ...others] = await findRequestedPayouts(shop.server.db);
  expect(others).toEqual([]);
  expect(payout).toMatchObject({ email: referrer.email, sum: 783, currency: "eur" });
  await shop.server.db.transaction((tx) => markPayoutPaid(tx, payout?.id as string, payout?.sum as number));
  expect(
    await shop.server.db.transaction((tx) => markPayoutPaid(tx, payout?.id as string, payout?.sum as number)),
  ).toBe(false);
  expect(await shop.server.db.select({ state: earnings.state }).from(earnings)).toEqual([
    { state: "paid" },
    { state: "paid" },
  ]);
  const told = (await readOutbox(shop.server)).filter(
    ({ to, template }) => to === referrer.email && template.startsWith("payout"),
  );
  const sum = { amount: 783, currency: "eur" };
  expect(told).toMatchObject([
    { template: "payoutRequested", params: sum },
    { template: "payoutPaid", params: sum },
  ]);
});

test("the first invoice earns even if only checkout.session.completed is delivered", async () => {
  const shop = await openShop({ works: false, delivers: false });
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const { id } = (await order(shop, buyer.headers, { promo: row?.refcode as string })).json<{ id: string }>();
  await pay(shop, id);
  const completed = (await eventsOf(shop, id)).find(({ type }) => type === "checkout.session.completed");
  await deliver(shop, completed as Stripe.Event);
  await shop.work();
  expect(await pendingOf(shop, referrer.headers)).toEqual([{ sum: 232, currency: "eur" }]);
});

test("a refund reverses a pending earning", async () => {
  const shop = await openShop();
  const { referrer, control, pendingIs } = await invited(shop);
  await pendingIs({ sum: 232, currency: "eur" });
  await control("refund");
  await pendingIs();
  expect(await shop.server.db.select({ state: earnings.state, amount: earnings.amount }).from(earnings)).toEqual([
    { state: "reversed", amount: 232 },
  ]);
  expect((await requestPayout(shop, referrer.headers)).json()).toEqual({ error: "error_payout_nothing" });
});

test("a refund removes an earning from its payout request; after the payout it becomes a debt", async () => {
  const shop = await openShop();
  const first = await invited(shop);
  await first.pendingIs({ sum: 232, currency: "eur" });
  await endHolding(shop);
  await requestPayout(shop, first.referrer.headers);
  await first.control("refund");
  await eventually(async () => expect(await findRequestedPayouts(shop.server.db)).toEqual([]));

  const second = await invited(shop);
  await second.pendingIs({ sum: 232, currency: "eur" });
  await endHolding(shop);
  await requestPayout(shop, second.referrer.headers);
  const payout = (await findRequestedPayouts(shop.server.db)).find(({ email }) => email === second.referrer.email);
  await shop.server.db.transaction((tx) => markPayoutPaid(tx, payout?.id as string, payout?.sum as number));
  await second.control("refund");
  await second.pendingIs({ sum: -232, currency: "eur" });
  expect((await requestPayout(shop, second.referrer.headers)).statusCode).toBe(409);
});

test("a partial refund reduces the payout request by its share of the net amount", async () => {
  const shop = await openShop({ env: { STRIPE_AUTOMATIC_TAX: "on" } });
  const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
  await shop.server.db.update(users).set({ country: "ES" }).where(eq(users.id, buyer.id));
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const project = await buy(shop, buyer.headers, { promo: row?.refcode as string });
  await eventually(async () => {
    // The buyer paid 23.20 plus 21 % VAT. The referrer earns a tenth of 23.20.
    expect(await pendingOf(shop, referrer.headers)).toEqual([{ sum: 232, currency: "eur" }]);
  });
  await endHolding(shop);
  await requestPayout(shop, referrer.headers);
  const [invoice] = (await shop.stripe.invoices.list({ subscription: project.sub_id })).data;
  expect(invoice?.total).toBe(2807);
  const [payment] = (await shop.stripe.invoicePayments.list({ invoice: invoice?.id as string })).data;
  await shop.stripe.refunds.create({ payment_intent: payment?.payment.payment_intent as string, amount: 1404 });
  await eventually(async () => expect((await findRequestedPayouts(shop.server.db))[0]?.sum).toBe(115));
  expect((await referralOf(shop, referrer.headers)).pending).toEqual([]);
  const [payout] = await findRequestedPayouts(shop.server.db);
  const mark = (sum: number) => shop.server.db.transaction((tx) => markPayoutPaid(tx, payout?.id as string, sum));
  expect([await mark(232), await mark(115)], "another sum than was transferred is not marked").toEqual([false, true]);
});

test("recordEarning is idempotent, also concurrently; a partial refund reverses its part of the earning", async () => {
  const shop = await openShop({ works: false });
  const { id: referrerId, headers } = await newBuyer(shop);
  const invoice = { referrerId, invoiceId: "in_1", currency: "eur", percent: 10 };
  const record = (paid: number, percent = 10) =>
    shop.server.db.transaction((tx) => recordEarning(tx, { ...invoice, paid, percent }));
  await Promise.all(Array.from({ length: 20 }, () => record(1000)));
  expect(await pendingOf(shop, headers)).toEqual([{ sum: 100, currency: "eur" }]);
  await record(400, 50); // the earning is reversed at its original 10 %, although the percentage has changed
  await record(400);
  expect(await pendingOf(shop, headers)).toEqual([{ sum: 40, currency: "eur" }]);
  await record(0);
  await record(0);
  // A debt is pending again when a refund empties the payout request that included it.
  const other = (paid: number) =>
    shop.server.db.transaction((tx) => recordEarning(tx, { ...invoice, invoiceId: "in_2", paid }));
  await insertDebt(shop, referrerId, -80);
  await other(1000);
  await endHolding(shop);
  await requestPayout(shop, headers);
  expect((await findRequestedPayouts(shop.server.db))[0]?.sum).toBe(20);
  await other(0);
  expect(await findRequestedPayouts(shop.server.db)).toEqual([]);
  expect(await pendingOf(shop, headers)).toEqual([{ sum: -80, currency: "eur" }]);
  await shop.server.db.delete(earnings);
  expect(await pendingOf(shop, headers)).toEqual([]);
});

function insertDebt({ server }: Shop, referrerId: string, amount: number) {
  const debt = { referrerId, invoiceId: "in_0", amount, currency: "eur", percent: 10 };
  return server.db.insert(earnings).values(debt);
}

test("referrals and payouts are 401 without a session", async () => {
  const shop = await openShop({ works: false });
  const headers = { host: "localhost:3000", origin: "http://localhost:3000", cookie: "" };
  expect((await shop.server.app.inject({ url: "/api/referral", headers })).statusCode).toBe(401);
  expect((await requestPayout(shop, headers)).statusCode).toBe(401);
});

test("an earning can be requested after thirty days, and only with a recent sign-in", async () => {
  const shop = await openShop();
  const { referrer, pendingIs } = await invited(shop);
  await pendingIs({ sum: 232, currency: "eur" });
  expect((await referralOf(shop, referrer.headers)).pending).toEqual([{ sum: 232, payable: 0, currency: "eur" }]);
  expect((await requestPayout(shop, referrer.headers)).json()).toEqual({ error: "error_payout_nothing" });
  const [row] = await shop.server.db.select().from(earnings);
  const days = ((row?.payableAt.getTime() ?? 0) - (row?.createdAt.getTime() ?? 0)) / 86_400_000;
  expect(Math.round(days)).toBe(30);

  await endHolding(shop);
  expect((await referralOf(shop, referrer.headers)).pending).toEqual([{ sum: 232, payable: 232, currency: "eur" }]);
  await shop.server.db.execute(sql`update sessions set proven_at = now() - interval '11 minutes'`);
  shop.server.live.sessions.forgetAll();
  expect((await requestPayout(shop, referrer.headers)).json()).toEqual({ error: "error_proof_needed" });
});

test.each(["same_card", "same_address"] as const)(
  "a second account with the %s earns nothing, and is listed",
  async (fraud) => {
    const shop = await openShop();
    const email = `${crypto.randomUUID()}@example.com`;
    const referrer = await newBuyer(shop, email);
    const buyer = await newBuyer(shop, fraud === "same_card" ? email.replace("@", "+second@") : undefined);
    await buy(shop, referrer.headers);
    if (fraud === "same_address") {
      const address = { address: "Calle Mayor, 1", zipcode: "28013", city: "Madrid", country: "ES" };
      await shop.server.db.update(users).set(address).where(eq(users.id, referrer.id));
      await shop.server.db
        .update(users)
        .set({ ...address, address: "calle mayor 1" })
        .where(eq(users.id, buyer.id));
    }
    const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
    await buy(shop, buyer.headers, { promo: row?.refcode as string });
    await eventually(async () =>
      expect(await findRefusedEarnings(shop.server.db)).toMatchObject([{ email, amount: 232, refusal: fraud }]),
    );
    expect((await referralOf(shop, referrer.headers)).pending).toEqual([]);
  },
);

test("an account number is stored encrypted, needs a recent proof, and is where its payouts go", async () => {
  const shop = await openShop();
  const { referrer, pendingIs } = await invited(shop);
  const { server } = shop;
  const save = (value: unknown, headers = referrer.headers) =>
    server.app.inject({ method: "PUT", url: "/api/referral/iban", headers, payload: { iban: value } });
  await pendingIs({ sum: 232, currency: "eur" });
  await endHolding(shop);
  const direct = () =>
    server.app.inject({ method: "POST", url: "/api/referral/payout", headers: referrer.headers, payload: {} });
  expect((await direct()).json()).toEqual({ error: "error_iban_missing" });
  for (const wrong of ["", "ES91 2100 0418 4502 0005 1333", "nonsense", "1".repeat(1000), 5, null])
    expect((await save(wrong)).json()).toEqual({ error: "error_iban_invalid" });

  expect((await save(iban.toLowerCase())).statusCode).toBe(200);
  expect(await referralOf(shop, referrer.headers)).toMatchObject({ iban: "1332", payouts: [] });
  const [stored] = await server.db.select().from(users).where(eq(users.id, referrer.id));
  expect(stored?.iban?.toString("latin1")).not.toMatch(/2100|0418|1332/);

  expect((await direct()).statusCode).toBe(202);
  await save("DE89 3704 0044 0532 0130 00");
  const { payouts, ledger } = await referralOf(shop, referrer.headers);
  expect(payouts).toMatchObject([{ amount: 232, currency: "eur", iban: "1332" }]);
  expect(ledger).toMatchObject([{ amount: 232, currency: "eur", state: "requested" }]);
  const [due] = await findRequestedPayouts(server.db);
  expect(server.accounts.box.open(due?.iban as Buffer, ibanOf(referrer.id))).toBe("ES9121000418450200051332");

  await server.db.execute(sql`update sessions set proven_at = now() - interval '1 day'`);
  server.live.sessions.forgetAll();
  expect((await save(iban)).json()).toEqual({ error: "error_proof_needed" });
});

test("a promotion is not promised to whoever cannot use it", async () => {
  const shop = await openShop();
  const { referrer, buyer } = await invited(shop);
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, referrer.id));
  const ask = async (headers: Record<string, string>) => {
    const response = await shop.server.app.inject({ url: `/api/promotion/${row?.refcode}`, headers });
    return [response.statusCode, response.json()];
  };
  const terms = { percent_off: 20, duration: "once", inviter: row?.givenName };
  expect(await ask({ host: "localhost:3000" })).toEqual([200, terms]);
  expect(await ask((await newBuyer(shop)).headers)).toEqual([200, terms]);
  expect(await ask(buyer.headers)).toEqual([406, { error: "error_promotion_already_used" }]);
  expect(await ask(referrer.headers)).toEqual([406, { error: "error_promotion_own" }]);
});
