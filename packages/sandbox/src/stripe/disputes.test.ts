import { Stripe } from "stripe";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../startSandbox.ts";

/** The stand-in with a subscription whose first invoice of 6.00 EUR is paid. */
async function openPaid() {
  const unused = new URL("http://127.0.0.1:9");
  const sandbox = await startSandbox({ port: 0, redirectUri: unused, webhookUrl: unused });
  onTestFinished(sandbox.stop);
  const { apiUrl, secretKey } = sandbox.stripe;
  const at = { host: apiUrl.hostname, port: apiUrl.port, protocol: "http", telemetry: false } as const;
  const stripe = new Stripe(secretKey, { ...at, maxNetworkRetries: 0 });
  const click = (path: string, action: string) =>
    fetch(new URL(path, apiUrl), { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
  const product = await stripe.products.create({ name: "Plan" });
  const recurring = { interval: "month" } as const;
  const price = await stripe.prices.create({ product: product.id, currency: "eur", unit_amount: 600, recurring });
  const customer = await stripe.customers.create({ email: "ana@example.com" });
  const { id } = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://example.com/ok",
  });
  await click(`/stripe/pay/${id}`, "pay");
  const [subscription] = (await stripe.subscriptions.list()).data;
  const [payment] = (await stripe.invoicePayments.list()).data;
  const intent = payment?.payment.payment_intent as string;
  return {
    stripe,
    intent,
    control: async (action: string) => (await click(`/stripe/subscription/${subscription?.id}`, action)).status,
    refund: (params: Stripe.RefundCreateParams = {}) => stripe.refunds.create({ payment_intent: intent, ...params }),
    charge: async () => (await stripe.charges.list()).data[0] as Stripe.Charge,
    typesSince: async (count: number) =>
      (await stripe.events.list({ limit: 100 })).data
        .map(({ type }) => type)
        .reverse()
        .slice(count),
  };
}

test("a dispute withdraws the money and keeps it from being refunded; a won one returns it", async () => {
  const { stripe, intent, control, refund, charge, typesSince } = await openPaid();
  const before = (await typesSince(0)).length;
  expect(await control("dispute")).toBe(303);
  expect(await control("dispute")).toBe(400);
  const [dispute] = (await stripe.disputes.list({ payment_intent: intent })).data;
  expect(dispute).toMatchObject({ amount: 600, status: "needs_response", is_charge_refundable: false });
  expect(dispute?.balance_transactions.map(({ amount }) => amount)).toEqual([-600]);
  expect((await charge()).disputed).toBe(true);
  await expect(refund()).rejects.toMatchObject({ code: "charge_disputed", statusCode: 400 });
  expect(await control("winDispute")).toBe(303);
  expect(await control("winDispute")).toBe(400);
  const won = await stripe.disputes.retrieve(dispute?.id as string);
  expect([won.status, won.balance_transactions.map(({ amount }) => amount)]).toEqual(["won", [-600, 600]]);
  expect(await typesSince(before)).toEqual([
    "charge.dispute.created",
    "charge.dispute.funds_withdrawn",
    "charge.dispute.closed",
    "charge.dispute.funds_reinstated",
  ]);
  expect(await refund()).toMatchObject({ amount: 600 });
  expect((await stripe.disputes.list({ charge: "ch_other" })).data).toEqual([]);
});

test("a lost dispute keeps the money; an inquiry withdraws none, and can be refunded", async () => {
  const lost = await openPaid();
  await lost.control("dispute");
  await lost.control("loseDispute");
  expect((await lost.stripe.disputes.list()).data).toMatchObject([{ status: "lost" }]);
  await expect(lost.refund({ amount: 1 })).rejects.toMatchObject({ code: "charge_disputed" });

  const inquired = await openPaid();
  await inquired.control("inquire");
  expect((await inquired.stripe.disputes.list()).data).toMatchObject([
    { status: "warning_needs_response", is_charge_refundable: true, balance_transactions: [] },
  ]);
  expect(await inquired.refund({ amount: 100 })).toMatchObject({ status: "succeeded" });
  await inquired.control("loseDispute");
  expect((await inquired.stripe.disputes.list()).data).toMatchObject([{ status: "warning_closed" }]);
});

test("a refund can be made in parts, takes days on a slow card, and can fail later", async () => {
  const { control, refund, charge, typesSince } = await openPaid();
  const before = (await typesSince(0)).length;
  await refund({ amount: 200 });
  expect(await charge()).toMatchObject({ amount_refunded: 200, refunded: false });
  await expect(refund({ amount: 401 })).rejects.toMatchObject({ param: "amount" });
  await control("slowRefunds");
  expect(await refund()).toMatchObject({ amount: 400, status: "pending" });
  await expect(refund()).rejects.toMatchObject({ code: "charge_already_refunded" });
  expect(await control("settleRefund")).toBe(303);
  expect(await control("failRefund")).toBe(303);
  expect(await control("failRefund")).toBe(400);
  expect(await charge()).toMatchObject({ amount_refunded: 200, refunded: false });
  expect(await typesSince(before)).toEqual([
    "refund.created",
    "charge.refunded",
    "refund.created",
    "charge.refunded",
    "refund.updated",
    "charge.refund.updated",
    "refund.failed",
    "refund.updated",
    "charge.refund.updated",
  ]);
});

test("refuses refunds of nothing, of everything, and for an unknown reason", async () => {
  const { stripe, intent, refund, charge } = await openPaid();
  await expect(stripe.refunds.create({})).rejects.toMatchObject({ code: "parameter_missing" });
  await expect(refund({ charge: (await charge()).id })).rejects.toThrow(/either/);
  await expect(refund({ amount: 0 })).rejects.toMatchObject({ param: "amount" });
  await expect(refund({ amount: -5 })).rejects.toMatchObject({ param: "amount" });
  await expect(refund({ reason: "changed_mind" as never })).rejects.toMatchObject({ param: "reason" });
  await expect(stripe.refunds.create({ payment_intent: `${intent}x` })).rejects.toMatchObject({ statusCode: 404 });
  await expect(stripe.refunds.create({ charge: "ch_none" })).rejects.toMatchObject({ code: "resource_missing" });
});

test("credit belongs to a customer and a currency, and an invoice is found by its number", async () => {
  const { stripe } = await openPaid();
  const [customer] = (await stripe.customers.list()).data;
  const id = customer?.id as string;
  await stripe.customers.createBalanceTransaction(id, { amount: -500, currency: "eur" });
  const { ending_balance } = await stripe.customers.createBalanceTransaction(id, { amount: 200, currency: "eur" });
  expect(ending_balance).toBe(-300);
  expect((await stripe.customers.listBalanceTransactions(id)).data).toHaveLength(2);
  await expect(stripe.customers.createBalanceTransaction(id, { amount: 1, currency: "usd" })).rejects.toMatchObject({
    param: "currency",
  });
  const [invoice] = (await stripe.invoices.list()).data;
  const found = await stripe.invoices.search({ query: `number:"${invoice?.number}"` });
  expect(found.data.map((one) => one.id)).toEqual([invoice?.id]);
  await expect(stripe.invoices.search({ query: "anything" })).rejects.toMatchObject({ param: "query" });
});
