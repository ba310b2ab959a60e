import { once } from "node:events";
import { appendFileSync, mkdtempSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Stripe } from "stripe";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../startSandbox.ts";
import { sdkKeys } from "./sdkKeys.ts";

const waiting = { timeout: 120_000, interval: 10 };

/** A webhook receiver that records the events and answers with the configured status. */
async function startReceiver() {
  const received: { body: string; signature: string }[] = [];
  const receiver = { status: 200, received, url: new URL("http://127.0.0.1") };
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ body, signature: String(request.headers["stripe-signature"]) });
    response.writeHead(receiver.status).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  receiver.url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`);
  return receiver;
}

async function start({
  folder,
  webhookUrl = new URL("http://127.0.0.1:9/none"),
}: {
  folder?: string;
  webhookUrl?: URL;
} = {}) {
  const sandbox = await startSandbox({ port: 0, redirectUri: new URL("http://localhost/x"), webhookUrl, folder });
  let isOpen = true;
  const stop = async () => {
    if (isOpen) await sandbox.stop();
    isOpen = false;
  };
  onTestFinished(stop);
  const { apiUrl, secretKey } = sandbox.stripe;
  const at = { host: apiUrl.hostname, port: apiUrl.port, protocol: "http", telemetry: false } as const;
  const stripe = new Stripe(secretKey, at);
  const click = (path: string, action: string, more = {}) =>
    fetch(new URL(path, apiUrl), {
      method: "POST",
      body: new URLSearchParams({ action, ...more }),
      redirect: "manual",
    });
  return { stripe, at, secretKey, stop, click, webhookSecret: sandbox.stripe.webhookSecret };
}
type Sandbox = Awaited<ReturnType<typeof start>>;

async function openCheckout({ stripe }: Sandbox, more: Partial<Stripe.Checkout.SessionCreateParams> = {}) {
  const product = await stripe.products.create({ name: "Plan", marketing_features: [{ name: "SSL" }] });
  const price = await stripe.prices.create({
    product: product.id,
    currency: "eur",
    unit_amount: 1000,
    recurring: { interval: "month" },
  });
  const customer = await stripe.customers.create({
    email: "ana@example.com",
    address: { line1: "Calle 1", country: "ES" },
  });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "http://localhost/success?session={CHECKOUT_SESSION_ID}",
    cancel_url: "http://localhost/cancel",
    subscription_data: { metadata: { order: "7" } },
    ...more,
  });
  return { product, price, customer, session };
}

async function pay(sandbox: Sandbox, sessionId: string) {
  await sandbox.click(`/stripe/pay/${sessionId}`, "pay");
  const session = await sandbox.stripe.checkout.sessions.retrieve(sessionId, { expand: ["subscription", "invoice"] });
  return {
    subscription: session.subscription as Stripe.Subscription,
    invoice: session.invoice as Stripe.Invoice,
    session,
  };
}

test("every object has all keys that the SDK's types require, and no unknown ones", async () => {
  const sandbox = await start();
  const { stripe } = sandbox;
  const coupon = await stripe.coupons.create({ percent_off: 20, duration: "forever" });
  const code = await stripe.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, code: "abc" });
  const { product, price, customer, session } = await openCheckout(sandbox, {
    discounts: [{ promotion_code: code.id }],
  });
  const taxId = await stripe.customers.createTaxId(customer.id, { type: "eu_vat", value: "ESB12345678" });
  const { subscription, invoice, session: paid } = await pay(sandbox, session.id);
  const [payment] = (await stripe.invoicePayments.list({ invoice: invoice.id as string })).data;
  const intent = payment?.payment.payment_intent as string;
  const refund = await stripe.refunds.create({ payment_intent: intent });
  const events = (await stripe.events.list({ limit: 100 })).data;
  await sandbox.click(`/stripe/subscription/${subscription.id}`, "endPeriod");
  await sandbox.click(`/stripe/subscription/${subscription.id}`, "dispute");
  const [dispute] = (await stripe.disputes.list()).data;
  const credit = await stripe.customers.createBalanceTransaction(customer.id, { amount: -500, currency: "eur" });
  const charge = events.find(({ type }) => type === "charge.refunded")?.data.object;
  const {
    data: [withDiscount],
  } = await stripe.subscriptions.list({ expand: ["data.discounts"] });
  const [lineItem] = (await stripe.checkout.sessions.listLineItems(session.id)).data;

  const shown: [string, string, unknown][] = [
    ["Products", "Product", product],
    ["Prices", "Price", price],
    ["Customers", "Customer", customer],
    ["TaxIds", "TaxId", taxId],
    ["Coupons", "Coupon", coupon],
    ["PromotionCodes", "PromotionCode", code],
    ["Discounts", "Discount", withDiscount?.discounts[0]],
    ["Checkout/Sessions", "Session", session],
    ["Checkout/Sessions", "Session", paid],
    ["LineItems", "LineItem", lineItem],
    ["Subscriptions", "Subscription", subscription],
    ["SubscriptionItems", "SubscriptionItem", subscription.items.data[0]],
    ["Plans", "Plan", subscription.items.data[0]?.plan],
    ["Invoices", "Invoice", invoice],
    ["InvoiceLineItems", "InvoiceLineItem", invoice.lines.data[0]],
    ["InvoicePayments", "InvoicePayment", payment],
    ["Charges", "Charge", charge],
    ["Refunds", "Refund", refund],
    ["Disputes", "Dispute", dispute],
    ["BalanceTransactions", "BalanceTransaction", dispute?.balance_transactions[0]],
    ["CustomerBalanceTransactions", "CustomerBalanceTransaction", credit],
    ["BillingPortal/Sessions", "Session", await stripe.billingPortal.sessions.create({ customer: customer.id })],
    [
      "WebhookEndpoints",
      "WebhookEndpoint",
      await stripe.webhookEndpoints.create({ url: "http://localhost/x", enabled_events: ["*"] }),
    ],
    ...events.map((event): [string, string, unknown] => ["Events", "EventBase", event]),
  ];
  for (const [file, name, object] of shown) {
    const { lastResponse: _added, ...plain } = object as Record<string, unknown>;
    const keys = Object.keys(plain);
    const { all, required } = sdkKeys(file, name);
    expect(
      required.filter((key) => !keys.includes(key)),
      `${file} ${name} lacks`,
    ).toEqual([]);
    expect(
      keys.filter((key) => !all.has(key)),
      `${file} ${name} invents`,
    ).toEqual([]);
  }
});

test("a payment creates the subscription, the paid invoice with the discount, and the events in order", async () => {
  const sandbox = await start();
  const coupon = await sandbox.stripe.coupons.create({ percent_off: 20, duration: "once" });
  const { session, price, customer } = await openCheckout(sandbox, {
    discounts: [{ coupon: coupon.id }],
    locale: "en",
  });
  expect(session).toMatchObject({ status: "open", payment_status: "unpaid", subscription: null, amount_total: 800 });
  const html = await (await fetch(session.url as string)).text();
  expect(html).toContain("Total due today");
  expect(html).toContain("€8.00");

  const declined = await sandbox.click(`/stripe/pay/${session.id}`, "decline");
  expect(await declined.text()).toContain("Your card was declined.");
  const accepted = await sandbox.click(`/stripe/pay/${session.id}`, "pay");
  expect(accepted.headers.get("location")).toBe(`http://localhost/success?session=${session.id}`);
  await sandbox.click(`/stripe/pay/${session.id}`, "pay");

  const { data: subscriptions } = await sandbox.stripe.subscriptions.list({ customer: customer.id });
  expect(subscriptions).toHaveLength(1);
  expect(subscriptions[0]).toMatchObject({ status: "active", metadata: { order: "7" }, discounts: [] });
  expect(subscriptions[0]?.items.data[0]?.price.id).toBe(price.id);
  const { data: invoices } = await sandbox.stripe.invoices.list({
    subscription: subscriptions[0]?.id as string,
    status: "paid",
  });
  expect(invoices).toMatchObject([{ total: 800, amount_paid: 800, billing_reason: "subscription_create" }]);
  const { data: events } = await sandbox.stripe.events.list({ limit: 7 });
  expect(events.map(({ type }) => type).reverse()).toEqual([
    "invoice.created",
    "customer.subscription.created",
    "invoice.finalized",
    "invoice_payment.paid",
    "invoice.paid",
    "invoice.payment_succeeded",
    "checkout.session.completed",
  ]);
});

test("an expired checkout cannot be paid, and a paid one cannot be expired", async () => {
  const sandbox = await start();
  const { session } = await openCheckout(sandbox);
  await sandbox.stripe.checkout.sessions.expire(session.id);
  await sandbox.click(`/stripe/pay/${session.id}`, "pay");
  expect(await sandbox.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: "expired", url: null });
  const other = await openCheckout(sandbox);
  await pay(sandbox, other.session.id);
  await expect(sandbox.stripe.checkout.sessions.expire(other.session.id)).rejects.toThrow(/status of complete/);
});

test("a subscription is renewed, becomes past due, is paid, refunded and cancelled at the end of the period", async () => {
  const sandbox = await start();
  const { stripe, click } = sandbox;
  const { subscription: sub, invoice } = await pay(sandbox, (await openCheckout(sandbox)).session.id);
  const control = (action: string) => click(`/stripe/subscription/${sub.id}`, action);
  const [before] = sub.items.data;

  await control("endPeriod");
  let now = await stripe.subscriptions.retrieve(sub.id);
  expect(now.items.data[0]?.current_period_start).toBe(before?.current_period_end);
  expect(now.latest_invoice).not.toBe(invoice.id);

  await control("failPeriod");
  expect((await stripe.subscriptions.retrieve(sub.id)).status).toBe("past_due");
  expect((await stripe.invoices.list({ subscription: sub.id, status: "open" })).data).toHaveLength(1);
  await control("pay");
  expect((await stripe.subscriptions.retrieve(sub.id)).status).toBe("active");

  await control("refund");
  const again = await control("refund");
  expect(again.status).toBe(400);

  const portal = await stripe.billingPortal.sessions.create({
    customer: sub.customer as string,
    return_url: "http://localhost/back",
    locale: "en",
  });
  const path = new URL(portal.url).pathname;
  expect(await (await fetch(portal.url)).text()).toContain("Invoices");
  await click(path, "cancel", { subscription: sub.id });
  now = await stripe.subscriptions.retrieve(sub.id);
  expect([now.cancel_at, now.cancel_at_period_end]).toEqual([now.items.data[0]?.current_period_end, false]);
  await control("endPeriod");
  now = await stripe.subscriptions.retrieve(sub.id);
  expect(now.status).toBe("canceled");
  await expect(stripe.subscriptions.cancel(sub.id)).rejects.toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  const types = (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  expect(types).toEqual(
    expect.arrayContaining(["invoice.payment_failed", "charge.refunded", "customer.subscription.deleted"]),
  );
});

test("an idempotency key takes effect once, rejects other parameters, and can be reused after parameters were refused", async () => {
  const { stripe } = await start();
  const once = { idempotencyKey: "k1" };
  const first = await stripe.customers.create({ email: "a@example.com" }, once);
  const second = await stripe.customers.create({ email: "a@example.com" }, once);
  expect(second.id).toBe(first.id);
  expect((await stripe.customers.list()).data).toHaveLength(1);
  await expect(stripe.customers.create({ email: "b@example.com" }, once)).rejects.toMatchObject({
    type: "StripeIdempotencyError",
  });
  await expect(
    stripe.prices.create({ product: "prod_x", currency: "euros", unit_amount: 1 }, { idempotencyKey: "k2" }),
  ).rejects.toThrow();
  const product = await stripe.products.create({ name: "x" }, { idempotencyKey: "k2" });
  expect(product.name).toBe("x");
});

test("errors have the type, status and code of Stripe's errors", async () => {
  const { stripe, at, secretKey } = await start();
  await stripe.products.create({ name: "there" });
  await expect(stripe.products.create({ name: "x", colour: "red" } as never)).rejects.toMatchObject({
    type: "StripeInvalidRequestError",
    statusCode: 400,
    code: "parameter_unknown",
    param: "colour",
  });
  await expect(stripe.products.create({} as never)).rejects.toMatchObject({ code: "parameter_missing", param: "name" });
  await expect(stripe.products.retrieve("prod_none")).rejects.toMatchObject({
    statusCode: 404,
    code: "resource_missing",
  });
  await expect(stripe.products.list({ limit: 101 })).rejects.toMatchObject({ param: "limit" });
  await expect(new Stripe("sk_test_wrong", at).products.list()).rejects.toMatchObject({
    type: "StripeAuthenticationError",
  });
  await expect(stripe.products.list({ expand: ["data.name"] })).rejects.toThrow(/cannot be expanded/);
  const old = new Stripe(secretKey, { ...at, apiVersion: "2020-08-27" as never });
  await expect(old.products.list()).rejects.toThrow(/API version/);
});

test("lists are ordered newest first, paginated and expandable", async () => {
  const { stripe } = await start();
  const names = Array.from({ length: 25 }, (_, index) => `p${index}`);
  for (const name of names) await stripe.products.create({ name });
  const seen: string[] = [];
  for await (const { name } of stripe.products.list({ limit: 10 })) seen.push(name);
  expect(seen).toEqual(names.toReversed());
  const product = await stripe.products.create({ id: "own", name: "own" });
  await stripe.prices.create({
    product: product.id,
    currency: "eur",
    unit_amount: 5,
    lookup_key: "k",
    recurring: { interval: "year" },
  });
  const { data } = await stripe.prices.list({ lookup_keys: ["k"], expand: ["data.product"] });
  expect(data[0]?.product).toMatchObject({ id: "own", name: "own" });
  expect(String(data[0]?.unit_amount_decimal)).toBe("5");
});

test("events are signed for the SDK's verification and resent until they are accepted", async () => {
  const receiver = await startReceiver();
  receiver.status = 500;
  const { stripe, webhookSecret } = await start({ webhookUrl: receiver.url });
  const product = await stripe.products.create({ name: "x" });
  await vi.waitFor(() => expect(receiver.received.length).toBeGreaterThan(0), waiting);
  receiver.status = 200;
  await vi.waitFor(async () => {
    const { data } = await stripe.events.list();
    expect(data[0]?.pending_webhooks).toBe(0);
  }, waiting);
  for (const { body, signature } of receiver.received) {
    const event = stripe.webhooks.constructEvent(body, signature, webhookSecret);
    expect(event.data.object).toMatchObject({ id: product.id });
  }
});

test("all objects survive a restart, and an incomplete last line is skipped", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nido-sandbox-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const receiver = await startReceiver();
  receiver.status = 503;
  const first = await start({ folder, webhookUrl: receiver.url });
  const { session } = await openCheckout(first);
  await first.stop();
  appendFileSync(join(folder, "stripe.jsonl"), '[{"put":{"id":"prod_torn","object":"product","images":[]');

  receiver.status = 200;
  const second = await start({ folder, webhookUrl: receiver.url });
  expect(second.webhookSecret).toBe(first.webhookSecret);
  expect(await second.stripe.checkout.sessions.retrieve(session.id)).toMatchObject({ status: "open" });
  await expect(second.stripe.products.retrieve("prod_torn")).rejects.toThrow();
  await vi.waitFor(async () => {
    const { data } = await second.stripe.events.list({ limit: 100 });
    expect(data.every(({ pending_webhooks: pending }) => pending === 0)).toBe(true);
  }, waiting);
});
