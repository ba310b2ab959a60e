import { Stripe } from "stripe";
import { expect, onTestFinished, test } from "vitest";
import { startSandbox } from "../startSandbox.ts";
import { sdkKeys } from "./sdkKeys.ts";

/** The stand-in with an open checkout that offers cards and direct debits. */
async function open() {
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
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://example.com/ok",
    locale: "en",
    allowed_payment_method_types: ["card", "sepa_debit"],
  });
  const page = async (path: string) => (await fetch(new URL(path, apiUrl))).text();
  /** Pays on the hosted page; the result can be read and controlled. */
  const pay = async (action: string) => {
    await click(`/stripe/pay/${session.id}`, action);
    const { subscription } = await read();
    const id = String(subscription);
    return {
      control: (name: string) => click(`/stripe/subscription/${id}`, name),
      subscription: () => stripe.subscriptions.retrieve(id, { expand: ["latest_invoice", "default_payment_method"] }),
    };
  };
  const read = () => stripe.checkout.sessions.retrieve(session.id);
  const intentOf = async (invoice: unknown) => {
    const id = (invoice as Stripe.Invoice).id as string;
    const { data } = await stripe.invoicePayments.list({ invoice: id, expand: ["data.payment.payment_intent"] });
    return data[0]?.payment.payment_intent as Stripe.PaymentIntent;
  };
  const types = async () => (await stripe.events.list({ limit: 100 })).data.map(({ type }) => type);
  return { stripe, click, page, session, customer, pay, read, intentOf, types };
}

test("a card that asks for confirmation pays once it is confirmed", async () => {
  const { click, page, session, read, pay, types } = await open();
  const path = `/stripe/pay/${session.id}`;
  expect(await page(path)).toContain("asks for confirmation");
  expect(await (await click(path, "ask")).text()).toContain("Your bank asks you");
  expect(await (await click(path, "refuse")).text()).toContain("You did not confirm");
  expect(await read()).toMatchObject({ status: "open", payment_status: "unpaid" });
  const { subscription } = await pay("confirm");
  expect(await read()).toMatchObject({ status: "complete", payment_status: "paid" });
  expect((await subscription()).status).toBe("active");
  expect(await types()).not.toContain("invoice.payment_action_required");
});

test("a renewal that needs a confirmation is past due until it is confirmed on the invoice's page", async () => {
  const { click, page, pay, intentOf, types } = await open();
  const { control, subscription } = await pay("confirm");
  await control("endPeriod"); // the card of the purchase asks again
  const { status, latest_invoice: invoice } = await subscription();
  expect([status, (invoice as Stripe.Invoice).status]).toEqual(["past_due", "open"]);
  const intent = await intentOf(invoice);
  expect(intent).toMatchObject({ status: "requires_action", next_action: { type: "use_stripe_sdk" } });
  expect(await types()).toEqual(expect.arrayContaining(["invoice.payment_action_required", "invoice.payment_failed"]));
  const { all, required } = sdkKeys("PaymentIntents", "PaymentIntent");
  expect(required.filter((key) => !(key in intent))).toEqual([]);
  expect(Object.keys(intent).filter((key) => !all.has(key))).toEqual([]);

  const path = new URL((invoice as Stripe.Invoice).hosted_invoice_url as string).pathname;
  expect(await page(path)).toContain('value="confirm"');
  await click(path, "refuse");
  expect((await subscription()).status).toBe("past_due");
  await click(path, "confirm");
  expect((await subscription()).status).toBe("active");
  expect((await intentOf(invoice)).status).toBe("succeeded");
});

test.each([
  ["debitSucceeds", "paid", "active", "succeeded"],
  ["debitFails", "unpaid", "incomplete", "failed"],
])("a purchase by direct debit is unpaid until it ends: %s", async (button, paid, status, event) => {
  const { read, pay, intentOf, types } = await open();
  const { control, subscription } = await pay("debit");
  expect(await read()).toMatchObject({ status: "complete", payment_status: "unpaid" });
  const first = await subscription();
  expect(first.status).toBe("incomplete");
  expect(first.default_payment_method).toMatchObject({ type: "sepa_debit", sepa_debit: { last4: "3000" } });
  expect((await intentOf(first.latest_invoice)).status).toBe("processing");

  await control(button);
  expect((await read()).payment_status).toBe(paid);
  expect((await subscription()).status).toBe(status);
  expect(await types()).toContain(`checkout.session.async_payment_${event}`);
  expect((await control(button)).status).toBe(400);
});

test("the next ten calls are refused with 429 and Retry-After, and the one after them is answered", async () => {
  const { stripe, click, customer } = await open();
  await click("/stripe/settings", "limit");
  for (let refused = 0; refused < 10; refused++) {
    const error = await stripe.customers.retrieve(customer.id).catch((thrown) => thrown);
    expect(error).toBeInstanceOf(Stripe.errors.StripeRateLimitError);
    expect(error.headers["retry-after"]).toBe("1");
  }
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id });
});

test("a renewal by direct debit stays active while it is processed, and is past due if it fails", async () => {
  const { stripe, pay } = await open();
  const { control, subscription } = await pay("pay");
  await control("debitPeriod");
  const { status, latest_invoice: invoice } = await subscription();
  expect([status, (invoice as Stripe.Invoice).status]).toEqual(["active", "open"]);
  await control("debitFails");
  expect((await subscription()).status).toBe("past_due");
  const { id } = (await subscription()).latest_invoice as Stripe.Invoice;
  expect((await stripe.invoices.voidInvoice(id as string)).status).toBe("void");
  await expect(stripe.invoices.voidInvoice(id as string)).rejects.toThrow(/only void/);
});

test("direct debits are offered only where they are allowed, and in euro", async () => {
  const { stripe, click, page, customer } = await open();
  const product = await stripe.products.create({ name: "Plan" });
  const recurring = { interval: "month" } as const;
  const price = await stripe.prices.create({ product: product.id, currency: "eur", unit_amount: 600, recurring });
  const session = await stripe.checkout.sessions.create({
    mode: "subscription",
    customer: customer.id,
    line_items: [{ price: price.id, quantity: 1 }],
    success_url: "https://example.com/ok",
    allowed_payment_method_types: ["card"],
  });
  expect(await page(`/stripe/pay/${session.id}`)).not.toContain("SEPA");
  await click(`/stripe/pay/${session.id}`, "debit");
  expect((await stripe.checkout.sessions.retrieve(session.id)).status).toBe("open");
});

test("the invoice of a new period is a draft until it is finalised, and is not collected after a cancellation", async () => {
  const { stripe, pay } = await open();
  const { control, subscription } = await pay("pay");
  await control("beginPeriod");
  const draft = await subscription();
  expect([draft.status, (draft.latest_invoice as Stripe.Invoice).status]).toEqual(["active", "draft"]);
  await control("finalize");
  expect((await subscription()).latest_invoice).toMatchObject({ status: "paid" });
  await control("beginPeriod");
  await stripe.subscriptions.cancel(draft.id);
  expect((await subscription()).latest_invoice).toMatchObject({ status: "draft", auto_advance: false });
  expect((await control("finalize")).status).toBe(400);
});

test.each([
  ["keep_as_draft", "draft"],
  ["void", "void"],
  ["mark_uncollectible", "uncollectible"],
] as const)(
  "while the collection is paused (%s), a renewal stays active and its invoice is %s",
  async (behavior, status) => {
    const { stripe, pay } = await open();
    const { control, subscription } = await pay("pay");
    const { id } = await subscription();
    await stripe.subscriptions.update(id, { pause_collection: { behavior } });
    await control("endPeriod");
    expect(await subscription()).toMatchObject({ status: "active", latest_invoice: { status } });
    const resumed = await stripe.subscriptions.update(id, { pause_collection: "" });
    expect(resumed.pause_collection).toBeNull();
  },
);

test("a paused subscription is not billed until it is resumed", async () => {
  const { pay, types } = await open();
  const { control, subscription } = await pay("pay");
  await control("pause");
  expect((await subscription()).status).toBe("paused");
  expect((await control("endPeriod")).status).toBe(400);
  await control("resume");
  expect((await subscription()).status).toBe("active");
  expect(await types()).toEqual(
    expect.arrayContaining(["customer.subscription.paused", "customer.subscription.resumed"]),
  );
});

test("the customer portal opens only after its settings were saved", async () => {
  const { stripe, click, customer } = await open();
  await click("/stripe/settings", "togglePortal");
  await expect(stripe.billingPortal.sessions.create({ customer: customer.id })).rejects.toThrow(
    /default configuration has not been created/,
  );
  await click("/stripe/settings", "togglePortal");
  expect((await stripe.billingPortal.sessions.create({ customer: customer.id })).url).toContain("/stripe/portal/");
});
