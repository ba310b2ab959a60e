import { Stripe } from "stripe";
import { expect, onTestFinished, test, vi } from "vitest";
import { startSandbox } from "../startSandbox.ts";

/** The stand-in with a customer, two prices, a coupon and an inactive promotion code. */
async function open() {
  const unused = new URL("http://127.0.0.1:9");
  const sandbox = await startSandbox({ port: 0, redirectUri: unused, webhookUrl: unused });
  onTestFinished(sandbox.stop);
  const { apiUrl, secretKey } = sandbox.stripe;
  const at = { host: apiUrl.hostname, port: apiUrl.port, protocol: "http", telemetry: false } as const;
  const stripe = new Stripe(secretKey, { ...at, maxNetworkRetries: 0 });
  const post = (path: string, form: Record<string, string>, key?: string) =>
    fetch(new URL(`/v1/${path}`, apiUrl), {
      method: "POST",
      headers: { authorization: `Bearer ${secretKey}`, ...(key && { "idempotency-key": key }) },
      body: new URLSearchParams(form),
    });
  const product = await stripe.products.create({ name: "Plan" });
  const recurring = { interval: "month" } as const;
  const priceOf = (currency: string, unit_amount: number) =>
    stripe.prices.create({ product: product.id, currency, unit_amount, recurring });
  const [euro, dollar, cheap] = await Promise.all([priceOf("eur", 600), priceOf("usd", 600), priceOf("eur", 49)]);
  const customer = await stripe.customers.create({ email: "ana@example.com" });
  const coupon = await stripe.coupons.create({ percent_off: 10 });
  const code = await stripe.promotionCodes.create({ promotion: { type: "coupon", coupon: coupon.id }, active: false });
  const session = {
    mode: "subscription",
    customer: customer.id,
    "line_items[0][price]": euro.id,
    success_url: "https://example.com/ok",
  };
  const click = (path: string, action: string) =>
    fetch(new URL(path, apiUrl), { method: "POST", body: new URLSearchParams({ action }), redirect: "manual" });
  return { stripe, post, click, euro, dollar, cheap, customer, coupon, code, session };
}
type Shop = Awaited<ReturnType<typeof open>>;

const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`metadata[k${index}]`, "x"]));

const inDays = (days: number) => String(Math.floor(Date.now() / 1000) + days * 86_400);
const trialOf = (days: string) => ({ "subscription_data[trial_period_days]": days });
const trialSettings = "subscription_data[trial_settings][end_behavior][missing_payment_method]";

test.each<[string, (shop: Shop) => [string, Record<string, string>]]>([
  ["51 keys of metadata", () => ["customers", many]],
  ["a key of 41 characters", () => ["customers", { [`metadata[${"k".repeat(41)}]`]: "x" }]],
  ["a metadata value of 501 characters", () => ["customers", { "metadata[k]": "x".repeat(501) }]],
  ["an e-mail address without a domain", () => ["customers", { email: "ana" }]],
  ["a coupon of 0 %", () => ["coupons", { percent_off: "0" }]],
  ["a coupon of 101 %", () => ["coupons", { percent_off: "101" }]],
  ["a negative amount off", () => ["coupons", { amount_off: "-5", currency: "eur" }]],
  ["an amount off without currency", () => ["coupons", { amount_off: "500" }]],
  ["repeating without months", () => ["coupons", { percent_off: "5", duration: "repeating" }]],
  ["months without repeating", () => ["coupons", { percent_off: "5", duration_in_months: "3" }]],
  ["no redemptions", () => ["coupons", { percent_off: "5", max_redemptions: "0" }]],
  [
    "a promotion code with a space",
    ({ coupon }) => ["promotion_codes", { "promotion[type]": "coupon", "promotion[coupon]": coupon.id, code: "A B" }],
  ],
  [
    "a promotion code that has expired",
    ({ coupon }) => [
      "promotion_codes",
      { "promotion[type]": "coupon", "promotion[coupon]": coupon.id, expires_at: "1000" },
    ],
  ],
  ["a coupon with a name of 41 characters", () => ["coupons", { percent_off: "5", name: "n".repeat(41) }]],
  ["a coupon that ends in six years", () => ["coupons", { percent_off: "5", redeem_by: inDays(6 * 365) }]],
  [
    "a promotion code with an underscore",
    ({ coupon }) => ["promotion_codes", { "promotion[type]": "coupon", "promotion[coupon]": coupon.id, code: "A_B" }],
  ],
  [
    "a minimum amount without its currency",
    ({ coupon }) => [
      "promotion_codes",
      { "promotion[type]": "coupon", "promotion[coupon]": coupon.id, "restrictions[minimum_amount]": "500" },
    ],
  ],
  ["a trial of 0 days", ({ session }) => ["checkout/sessions", { ...session, ...trialOf("0") }]],
  ["a trial of 731 days", ({ session }) => ["checkout/sessions", { ...session, ...trialOf("731") }]],
  [
    "settings of a trial without one",
    ({ session }) => ["checkout/sessions", { ...session, [trialSettings]: "create_invoice" }],
  ],
  [
    "an unknown end of a trial",
    ({ session }) => ["checkout/sessions", { ...session, ...trialOf("14"), [trialSettings]: "charge" }],
  ],
  [
    "a price in no currency",
    ({ euro }) => ["prices", { product: `${euro.product}`, currency: "euro", unit_amount: "5" }],
  ],
  ["a negative price", ({ euro }) => ["prices", { product: `${euro.product}`, currency: "eur", unit_amount: "-5" }]],
  ["an unknown locale", ({ session }) => ["checkout/sessions", { ...session, locale: "xx" }]],
  ["a relative success_url", ({ session }) => ["checkout/sessions", { ...session, success_url: "/ok" }]],
  ["a cancel_url that is none", ({ session }) => ["checkout/sessions", { ...session, cancel_url: "javascript:0" }]],
  ["a quantity of 0", ({ session }) => ["checkout/sessions", { ...session, "line_items[0][quantity]": "0" }]],
  [
    "an unknown payment method",
    ({ session }) => ["checkout/sessions", { ...session, "allowed_payment_method_types[0]": "cash" }],
  ],
  ["49 cents", ({ session, cheap }) => ["checkout/sessions", { ...session, "line_items[0][price]": cheap.id }]],
  [
    "an inactive promotion code",
    ({ session, code }) => ["checkout/sessions", { ...session, "discounts[0][promotion_code]": code.id }],
  ],
  [
    "a VAT number of the wrong form",
    ({ customer }) => [`customers/${customer.id}/tax_ids`, { type: "gb_vat", value: "GB12" }],
  ],
  [
    "a VAT number of an unknown kind",
    ({ customer }) => [`customers/${customer.id}/tax_ids`, { type: "xx_vat", value: "123456789" }],
  ],
])("refuses %s", async (_what, request) => {
  const shop = await open();
  const response = await shop.post(...request(shop));
  expect([response.status, await response.json()]).toMatchObject([400, { error: { type: "invalid_request_error" } }]);
});

test("refuses a second currency for a customer", async () => {
  const { stripe, post, click, session, dollar } = await open();
  const { id } = await (await post("checkout/sessions", session)).json();
  expect((await click(`/stripe/pay/${id}`, "pay")).status).toBe(303);
  expect((await stripe.checkout.sessions.retrieve(id)).status).toBe("complete");
  const second = await post("checkout/sessions", { ...session, "line_items[0][price]": dollar.id });
  expect([second.status, (await second.json()).error.message]).toEqual([400, expect.stringContaining("currencies")]);
});

test("a coupon and a promotion code are used up after their redemptions", async () => {
  const { stripe, post, click, session } = await open();
  const coupon = await stripe.coupons.create({ percent_off: 10 });
  const promotion = { type: "coupon", coupon: coupon.id } as const;
  const code = await stripe.promotionCodes.create({ promotion, max_redemptions: 1 });
  const discounted = { ...session, "discounts[0][promotion_code]": code.id };
  const { id } = await (await post("checkout/sessions", discounted)).json();
  await click(`/stripe/pay/${id}`, "pay");
  expect((await stripe.promotionCodes.retrieve(code.id)).times_redeemed).toBe(1);
  expect((await post("checkout/sessions", discounted)).status).toBe(400);
});

test("a coupon discounts its products and its currency only, and shows its products only if they are expanded", async () => {
  const { stripe, post, session, euro } = await open();
  const other = await stripe.products.create({ name: "Other" });
  const status = async (terms: Parameters<typeof stripe.coupons.create>[0]) => {
    const { id } = await stripe.coupons.create(terms);
    return (await post("checkout/sessions", { ...session, "discounts[0][coupon]": id })).status;
  };
  expect(await status({ percent_off: 10, applies_to: { products: [other.id] } })).toBe(400);
  expect(await status({ amount_off: 100, currency: "usd" })).toBe(400);
  expect(await status({ percent_off: 10, applies_to: { products: [other.id, euro.product as string] } })).toBe(200);
  await expect(status({ percent_off: 10, applies_to: { products: ["none"] } })).rejects.toThrow("No such product");
  const coupon = await stripe.coupons.create({ percent_off: 10, applies_to: { products: [other.id] } });
  expect(coupon).not.toHaveProperty("applies_to");
  const expand = ["applies_to"];
  expect((await stripe.coupons.retrieve(coupon.id, { expand })).applies_to).toEqual({ products: [other.id] });
});

test("a promotion code is found in any case, and is inactive once it has expired or is used up", async () => {
  const { stripe, post, click, session, coupon } = await open();
  const promotion = { type: "coupon", coupon: coupon.id } as const;
  const used = await stripe.promotionCodes.create({ promotion, code: "Spring", max_redemptions: 1 });
  await expect(stripe.promotionCodes.create({ promotion, code: "SPRING" })).rejects.toThrow("already exists");
  const short = await stripe.promotionCodes.create({ promotion, code: "SHORT", expires_at: Number(inDays(1)) });
  const find = async (code: string, active: boolean) =>
    (await stripe.promotionCodes.list({ code, active })).data.map(({ id }) => id);
  expect([await find("sPRING", true), await find("short", true)]).toEqual([[used.id], [short.id]]);
  const { id } = await (
    await post("checkout/sessions", { ...session, "discounts[0][promotion_code]": used.id })
  ).json();
  await click(`/stripe/pay/${id}`, "pay");
  expect([await find("spring", true), await find("spring", false)]).toEqual([[], [used.id]]);
  await expect(stripe.promotionCodes.update(used.id, { active: true })).rejects.toThrow("no longer be redeemed");
  vi.useFakeTimers({ now: Date.now() + 2 * 86_400_000, toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  expect([await find("short", true), await find("short", false)]).toEqual([[], [short.id]]);
});

test("a code for first purchases and one with a minimum are refused otherwise, also when they are paid", async () => {
  const { stripe, post, click, session, coupon } = await open();
  const promotion = { type: "coupon", coupon: coupon.id } as const;
  const codeFor = async (restrictions: Stripe.PromotionCodeCreateParams.Restrictions) =>
    (await stripe.promotionCodes.create({ promotion, restrictions })).id;
  const first = await codeFor({ first_time_transaction: true });
  const order = async (code: string) => post("checkout/sessions", { ...session, "discounts[0][promotion_code]": code });
  const [one, two] = [await (await order(first)).json(), await (await order(first)).json()];
  expect((await click(`/stripe/pay/${one.id}`, "pay")).status).toBe(303);
  expect((await click(`/stripe/pay/${two.id}`, "pay")).status).toBe(400);
  expect((await order(first)).status).toBe(400);
  expect((await order(await codeFor({ minimum_amount: 601, minimum_amount_currency: "eur" }))).status).toBe(400);
  expect((await order(await codeFor({ minimum_amount: 600, minimum_amount_currency: "eur" }))).status).toBe(200);
});

test("a discount of some months or one payment waits for the end of a trial", async () => {
  const { stripe, post, click, session } = await open();
  const totals = async (duration: "once" | "repeating") => {
    const months = duration === "repeating" ? { duration_in_months: 2 } : {};
    const { id: coupon } = await stripe.coupons.create({ percent_off: 50, duration, ...months });
    const form = { ...session, ...trialOf("14"), "discounts[0][coupon]": coupon };
    const { id } = await (await post("checkout/sessions", form)).json();
    await click(`/stripe/pay/${id}`, "pay");
    const subscription = (await stripe.checkout.sessions.retrieve(id)).subscription as string;
    for (let period = 0; period < 3; period++) await click(`/stripe/subscription/${subscription}`, "endPeriod");
    const { data } = await stripe.invoices.list({ subscription });
    return data.map(({ total }) => total).reverse();
  };
  expect(await totals("once")).toEqual([0, 300, 600, 600]);
  // The months begin with the trial.
  expect(await totals("repeating")).toEqual([0, 300, 300, 600]);
});

test("a deleted customer can be retrieved, but not changed or charged", async () => {
  const { stripe, post, customer, session } = await open();
  await stripe.customers.del(customer.id);
  expect(await stripe.customers.retrieve(customer.id)).toMatchObject({ id: customer.id, deleted: true });
  expect((await post(`customers/${customer.id}`, { name: "Ana" })).status).toBe(404);
  expect((await post("checkout/sessions", session)).status).toBe(404);
});

test("an executed refusal is replayed with its key, and one of the parameters is not", async () => {
  const { stripe, post, session, euro } = await open();
  await stripe.prices.update(euro.id, { active: false });
  expect((await post("checkout/sessions", session, "executed")).status).toBe(400);
  await stripe.prices.update(euro.id, { active: true });
  const replayed = await post("checkout/sessions", session, "executed");
  expect([replayed.status, replayed.headers.get("idempotent-replayed")]).toEqual([400, "true"]);
  expect((await post("checkout/sessions", { ...session, locale: "xx" }, "checked")).status).toBe(400);
  expect((await post("checkout/sessions", session, "checked")).status).toBe(200);
});
