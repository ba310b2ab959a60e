import type { CheckoutSession, PlanOffers } from "@nido/contract";
import { answering } from "@nido/test-kit/answering";
import { startApp } from "@nido/test-kit/app";
import { addProject } from "@nido/test-kit/seed";
import { buy, newBuyer, newName, openShop, order, pay, planOf, type Shop, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq, sql } from "drizzle-orm";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { checkouts, tasks, users } from "../../db/schema.ts";
import type { StripeAccess } from "../Billing.ts";
import { seedCatalogue } from "../catalogue/seedCatalogue.ts";
import { releaseCheckout, releaseUnanswered } from "./queries.ts";

const host = { host: "localhost:3000" };

function offers({ server }: Shop, category: string) {
  return server.app.inject({ url: `/billing/products?recipe_category=${category}`, headers: host });
}

async function refcodeOf({ server }: Shop, id: string) {
  const [user] = await server.db.select().from(users).where(eq(users.id, id));
  return user?.refcode as string;
}

describe("the catalogue", () => {
  test("lists plans by interval, cheapest first, with features and recipe", async () => {
    const shop = await openShop({ works: false });
    const wordpress = (await offers(shop, "wordpress")).json<PlanOffers>();
    expect(wordpress.year.map(({ product }) => product.metadata.recipe)).toEqual([
      "wordpress_starter",
      "wordpress_pro",
      "wordpress_business",
    ]);
    expect(wordpress.month[0]).toMatchObject({
      plan: { amount: 600, currency: "eur", interval: "month" },
      product: {
        name: "WordPress starter",
        features: [
          { name: "15 GB SSD" },
          { name: "128 MB RAM" },
          { name: "SSL certificate" },
          { name: "Unlimited visitors" },
          { name: "1 website" },
        ],
        metadata: { recipe: "wordpress_starter", recipe_category: "wordpress" },
      },
    });
    expect((await offers(shop, "static")).json<PlanOffers>().year).toHaveLength(1);
    expect((await offers(shop, "cars")).statusCode).toBe(400);
  });

  test("is not changed by seeding it again; other products of the account are left alone", async () => {
    const shop = await openShop({ works: false });
    await shop.stripe.products.create({ name: "A book" });
    expect(await seedCatalogue(shop.stripe)).toEqual([]);
    expect((await shop.stripe.prices.list({ limit: 100 })).data).toHaveLength(8);
    expect((await shop.stripe.products.list({ limit: 100 })).data).toHaveLength(5);
  });

  test("is served from the cache while the provider is unreachable, and is 502 if nothing is cached", async () => {
    const offline = await startApp();
    const refused = await offline.app.inject({ url: "/billing/products?recipe_category=static", headers: host });
    expect([refused.statusCode, refused.json()]).toEqual([502, { error: "error_payment_unavailable" }]);
    const shop = await openShop({ works: false });
    expect((await offers(shop, "static")).statusCode).toBe(200);
    await shop.sandbox.stop();
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
    expect((await offers(shop, "static")).json<PlanOffers>().month).toHaveLength(1);
    vi.useRealTimers();
  });
});

describe("a price that changed at the provider", () => {
  test("is not shown as it was, however long nobody looked", async () => {
    const shop = await openShop({ works: false });
    const old = (await offers(shop, "static")).json<PlanOffers>().month[0]?.plan.id as string;
    const { product } = await shop.stripe.prices.retrieve(old);
    const recurring = { interval: "month" } as const;
    const dearer = await shop.stripe.prices.create({
      product: product as string,
      currency: "eur",
      unit_amount: 900,
      recurring,
    });
    await shop.stripe.prices.update(old, { active: false });
    vi.useFakeTimers({ now: Date.now() + 61_000, toFake: ["Date"] });
    onTestFinished(() => void vi.useRealTimers());
    const plans = (await offers(shop, "static")).json<PlanOffers>().month.map(({ plan }) => plan);
    expect(plans).toEqual([{ id: dearer.id, amount: 900, currency: "eur", interval: "month" }]);
  });

  test("leads back to the plans if it was chosen before, and holds no name", async () => {
    const shop = await openShop({ works: false });
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    const plan = await planOf(shop, "static_starter", "month");
    await shop.stripe.prices.update(plan, { active: false });
    const project_name = newName();
    const refused = await order(shop, ana.headers, { plan, project_name });
    expect([refused.statusCode, refused.json()]).toEqual([404, { error: "error_plan_not_found" }]);
    expect((await order(shop, ben.headers, { project_name })).statusCode).toBe(200);
  });
});

describe("a checkout", () => {
  test("that the provider refuses is tried once, says so, and succeeds when the provider accepts it", async () => {
    let refuses = true;
    let tries = 0;
    const body = { error: { type: "invalid_request_error", message: "Tax is not set up." } };
    const through = (access: StripeAccess) =>
      answering(access, ({ method, url }) => {
        if (method !== "POST" || url !== "/v1/checkout/sessions") return undefined;
        tries++;
        return refuses ? { status: 400, body } : undefined;
      });
    const shop = await openShop({ works: false, through });
    const { headers } = await newBuyer(shop);
    const project_name = newName();
    const refused = await order(shop, headers, { project_name });
    expect([refused.statusCode, refused.json()]).toEqual([502, { error: "error_payment_unavailable" }]);
    expect(tries).toBe(1);
    refuses = false;
    expect((await order(shop, headers, { project_name })).statusCode).toBe(200);
  });

  test("sends price, customer, address, VAT number, language and return URLs to the provider", async () => {
    const shop = await openShop({ works: false, env: { STRIPE_AUTOMATIC_TAX: "on", STRIPE_TAX_ID_COLLECTION: "on" } });
    const buyer = await newBuyer(shop);
    const address = { address: "Calle Luz 1", city: "Cádiz", zipcode: "11001", country: "ES" };
    const company = { companyName: "Panadería Luz", vatNumber: "ES B-12345678", phone: "+34 (600) 000 000 - 000" };
    await shop.server.db
      .update(users)
      .set({ ...address, ...company })
      .where(eq(users.id, buyer.id));
    const name = newName();
    const response = await order(shop, buyer.headers, {
      category: "wordpress",
      username: "lucia",
      project_name: name,
      locale: "en",
    });
    expect(response.statusCode, response.body).toBe(200);
    const { id, url } = response.json<CheckoutSession>();
    const session = await shop.stripe.checkout.sessions.retrieve(id, { expand: ["customer", "line_items"] });
    const [checkout] = await shop.server.db.select().from(checkouts);
    expect(session).toMatchObject({
      url,
      locale: "en",
      client_reference_id: checkout?.id,
      metadata: { checkout: checkout?.id },
      success_url: `http://localhost:3000/newproject/wp/success?taskId=${checkout?.taskId}`,
      cancel_url: `http://localhost:3000/billing/cancelled/${checkout?.id}`,
      automatic_tax: { enabled: true },
      tax_id_collection: { enabled: true },
      customer: {
        email: buyer.email,
        name: "Panadería Luz",
        phone: "+34600000000000",
        address: { line1: "Calle Luz 1", city: "Cádiz", postal_code: "11001", country: "ES" },
        preferred_locales: ["es"],
      },
    });
    expect(session.line_items?.data[0]?.price?.id).toBe(await planOf(shop, "wordpress_starter"));
    const customerId = (session.customer as { id: string }).id;
    expect((await shop.stripe.customers.listTaxIds(customerId)).data).toMatchObject([
      { type: "eu_vat", value: "ESB12345678" },
    ]);
    const [task] = await shop.server.db.select().from(tasks);
    expect(task).toMatchObject({ id: checkout?.taskId, state: "pending" });

    // A tax id from the payment page stays. Changes of the profile are sent to the provider by a job.
    await shop.stripe.customers.createTaxId(customerId, { type: "gb_vat", value: "GB123456789" });
    const change = { type: "UPDATE_USER_COMPANY", payload: { company: "Luz SL", vat_number: "" } };
    await shop.server.app.inject({ method: "POST", url: "/redux", headers: buyer.headers, payload: change });
    await shop.work();
    expect(await shop.stripe.customers.retrieve(customerId)).toMatchObject({ name: "Luz SL" });
    const left = (await shop.stripe.customers.listTaxIds(customerId)).data;
    expect(left.map(({ value }) => value)).toEqual(["GB123456789"]);
  });

  test("for a customer unknown to the provider creates a new customer", async () => {
    const shop = await openShop({ works: false });
    const { id, headers } = await newBuyer(shop);
    await shop.server.db.update(users).set({ providerId: "cus_other" }).where(eq(users.id, id));
    expect((await order(shop, headers)).statusCode).toBe(200);
    const [user] = await shop.server.db.select().from(users).where(eq(users.id, id));
    expect(user?.providerId).toBe((await shop.stripe.customers.list()).data[0]?.id);
  });

  test("whose session is unknown to the provider is opened again, and does not reserve its name", async () => {
    const shop = await openShop({ works: false });
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    const requests = [{ project_name: newName() }, { project_name: newName() }] as const;
    for (const [index, request] of requests.entries()) {
      await order(shop, ana.headers, request);
      await shop.server.db
        .update(checkouts)
        .set({ sessionId: `cs_gone${index}`, expiresAt: sql`now()` })
        .where(eq(checkouts.name, request.project_name));
    }
    expect((await order(shop, ana.headers, requests[0])).statusCode).toBe(200);
    await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
    await shop.work();
    expect((await order(shop, ben.headers, requests[1])).statusCode).toBe(200);
  });

  test("with invalid input is refused with the specific error, and nothing is created", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const staticPlan = await planOf(shop, "static_starter");
    for (const [request, status, error] of [
      [{ project_name: "abc" }, 400, "error_name_invalid"],
      [{ project_name: "Mi Tienda" }, 400, "error_name_invalid"],
      [{ category: "wordpress", username: "" }, 400, "error_username_invalid"],
      [{ category: "wordpress", username: "siteADMIN" }, 400, "error_username_invalid"],
      [{ category: "wordpress", username: "lucia", plan: staticPlan }, 404, "error_plan_not_found"],
      [{ plan: "price_none" }, 404, "error_plan_not_found"],
      [{ locale: "fr" }, 400, "error_invalid_input"],
      [{ category: "cars" as never }, 400, "error_invalid_input"],
      [{ promo: "nobodys" }, 404, "error_promotion_unknown"],
      [{ project_name: "dashboard" }, 409, "error_name_taken"],
    ] as const) {
      const response = await order(shop, headers, request);
      expect([response.statusCode, response.json()], JSON.stringify(request)).toEqual([status, { error }]);
    }
    const visitor = await order(shop, { ...headers, cookie: "" });
    expect(visitor.statusCode).toBe(401);
    expect(await shop.server.db.select().from(checkouts)).toEqual([]);
    expect(await shop.server.db.select().from(tasks)).toEqual([]);
    expect((await shop.stripe.checkout.sessions.list()).data).toEqual([]);
  });

  test("requested again, also concurrently, returns the same session; another plan replaces it", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const name = newName();
    const both = await Promise.all([1, 2, 3].map(() => order(shop, headers, { project_name: name })));
    const again = await order(shop, headers, { project_name: name });
    const ids = [...both, again].map((response) => response.json<CheckoutSession>().id);
    expect(new Set(ids).size).toBe(1);
    expect((await shop.stripe.checkout.sessions.list()).data).toHaveLength(1);
    expect((await shop.stripe.customers.list()).data).toHaveLength(1);

    const monthly = await planOf(shop, "static_starter", "month");
    const other = await order(shop, headers, { project_name: name, plan: monthly });
    expect(other.json<CheckoutSession>().id).not.toBe(ids[0]);
    const { data } = await shop.stripe.checkout.sessions.list();
    expect(data.map(({ status }) => status)).toEqual(["open", "expired"]);
  });

  test("that is already paid leads to the success page, and is not sold again", async () => {
    const shop = await openShop({ works: false, delivers: false });
    const { headers } = await newBuyer(shop);
    const request = { project_name: newName() };
    await pay(shop, (await order(shop, headers, request)).json<CheckoutSession>().id);
    const again = await order(shop, headers, request);
    expect(again.json<CheckoutSession>().url).toBe(
      `http://localhost:3000/newproject/static/success?domain=${request.project_name}`,
    );
    const [checkout] = await shop.server.db.select().from(checkouts);
    const otherPlan = await order(shop, headers, { ...request, plan: await planOf(shop, "static_starter", "month") });
    expect(otherPlan.statusCode).toBe(409);
    await shop.work();
    expect(Object.values((await stateOf(shop.server, headers)).projects)).toHaveLength(1);
    expect((await order(shop, headers, request)).statusCode).toBe(409);
    const back = await shop.server.app.inject({ url: `/billing/cancelled/${checkout?.id}`, headers });
    expect(back.headers.location).toBe(`/newproject/static/success?domain=${request.project_name}`);
  });

  test("stays open if a changed request for the same name is refused", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const request = { project_name: newName() };
    const { id } = (await order(shop, headers, request)).json<CheckoutSession>();
    expect((await order(shop, headers, { ...request, promo: "nobodys" })).statusCode).toBe(404);
    expect(await shop.stripe.checkout.sessions.retrieve(id)).toMatchObject({ status: "open" });
    expect((await order(shop, headers, request)).json<CheckoutSession>().id).toBe(id);
  });

  test("reserves its name against other customers, not its buyer, until it expires", async () => {
    const shop = await openShop();
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    const name = newName();
    const { id } = (await order(shop, ana.headers, { project_name: name })).json<CheckoutSession>();
    const check = async (headers: object) => {
      const response = await shop.server.app.inject({ url: `/api/domain/${name}`, headers: { ...host, ...headers } });
      return response.statusCode;
    };
    expect([await check(ana.headers), await check(ben.headers), await check({})]).toEqual([202, 409, 409]);
    expect((await order(shop, ben.headers, { project_name: name })).statusCode).toBe(409);

    await shop.click(`/stripe/pay/${id}`, "expire");
    await eventually(async () => expect(await check(ben.headers)).toBe(202));
    expect((await order(shop, ben.headers, { project_name: name })).statusCode).toBe(200);
  });

  test("succeeds for one of eight concurrent buyers of a name; the others get 409 and no session", async () => {
    const shop = await openShop({ works: false });
    const buyers = await Promise.all(Array.from({ length: 8 }, () => newBuyer(shop)));
    const name = newName();
    const responses = await Promise.all(buyers.map(({ headers }) => order(shop, headers, { project_name: name })));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([200, ...Array(7).fill(409)]);
    expect((await shop.stripe.checkout.sessions.list()).data).toHaveLength(1);
  });

  test("is refused for the name of a project, even of a deleted one", async () => {
    const shop = await openShop({ works: false });
    const { id, headers } = await newBuyer(shop);
    const name = newName();
    const project = await addProject(shop.server.db, id, name);
    expect((await order(shop, headers, { project_name: name })).statusCode).toBe(409);
    const payload = { type: "DELETE_PROJECT", payload: { id: project } };
    await shop.server.app.inject({ method: "POST", url: "/redux", headers, payload });
    expect((await order(shop, headers, { project_name: name })).statusCode).toBe(409);
  });

  test("is refused beyond five open ones; returning from the payment page makes room", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const responses = await Promise.all(Array.from({ length: 8 }, () => order(shop, headers)));
    expect(responses.map(({ statusCode }) => statusCode).sort()).toEqual([
      ...Array(5).fill(200),
      ...Array(3).fill(429),
    ]);
    expect(responses.find(({ statusCode }) => statusCode === 429)?.json()).toEqual({ error: "error_checkout_limit" });

    const [first] = await shop.server.db.select().from(checkouts);
    const back = await shop.server.app.inject({ url: `/billing/cancelled/${first?.id}`, headers });
    expect([back.statusCode, back.headers.location]).toEqual([
      303,
      `/newproject/static/1?category=static&plan=${first?.planId}&domain=${first?.name}&lang=es&cancelled=1`,
    ]);
    expect((await order(shop, headers)).statusCode).toBe(200);
    expect(await shop.stripe.checkout.sessions.retrieve(first?.sessionId as string)).toMatchObject({
      status: "expired",
    });
  });

  test("is released only with its current session: another session may be in payment", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const { id: sessionId } = (await order(shop, headers)).json<CheckoutSession>();
    const [checkout] = await shop.server.db.select().from(checkouts);
    const stateAfter = async (ended: string | null) => {
      await shop.server.db.transaction((tx) => releaseCheckout(tx, checkout?.id as string, ended));
      return (await shop.server.db.select().from(checkouts))[0]?.state;
    };
    expect([await stateAfter(null), await stateAfter("cs_other"), await stateAfter(sessionId)]).toEqual([
      "open",
      "open",
      "expired",
    ]);
  });

  test("is not cancelled by another customer or a visitor at its cancel URL", async () => {
    const shop = await openShop({ works: false });
    const [ana, ben] = [await newBuyer(shop), await newBuyer(shop)];
    await order(shop, ana.headers);
    const [checkout] = await shop.server.db.select().from(checkouts);
    for (const headers of [ben.headers, host]) {
      const response = await shop.server.app.inject({ url: `/billing/cancelled/${checkout?.id}`, headers });
      expect([response.statusCode, response.headers.location]).toEqual([303, "/"]);
    }
    expect((await shop.server.db.select().from(checkouts))[0]?.abandonedAt).toBeNull();
  });

  test("that the provider never answered releases its name after it expires", async () => {
    const shop = await openShop({ works: false });
    const { headers } = await newBuyer(shop);
    const request = { project_name: newName() };
    await planOf(shop, "static_starter");
    await shop.sandbox.stop();
    const response = await order(shop, headers, request);
    expect([response.statusCode, response.json()]).toEqual([502, { error: "error_payment_unavailable" }]);
    const check = () => shop.server.app.inject({ url: `/api/domain/${request.project_name}`, headers: host });
    await shop.server.db.transaction(releaseUnanswered);
    expect((await check()).statusCode, "a repeated call may still find it").toBe(409);
    await shop.server.db.update(checkouts).set({ expiresAt: sql`now() - interval '6 minutes'` });
    await shop.server.db.transaction(releaseUnanswered);
    expect((await check()).statusCode).toBe(202);
  });
});

describe("a promotion", () => {
  test("shows its discount on the payment page, is valid once per account, and never for its owner", async () => {
    const shop = await openShop();
    const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
    const promo = await refcodeOf(shop, referrer.id);
    const own = await order(shop, referrer.headers, { promo });
    expect([own.statusCode, own.json()]).toEqual([406, { error: "error_promotion_own" }]);

    const response = await order(shop, buyer.headers, { promo: ` ${promo.toUpperCase()} ` });
    const { id, url } = response.json<CheckoutSession>();
    expect(await (await fetch(url)).text()).toContain("5,80");
    expect(await shop.stripe.checkout.sessions.retrieve(id)).toMatchObject({
      amount_subtotal: 2900,
      amount_total: 2320,
    });
    const second = await order(shop, buyer.headers, { promo });
    expect([second.statusCode, second.json()]).toEqual([406, { error: "error_promotion_already_used" }]);
    expect((await order(shop, buyer.headers)).statusCode).toBe(200);

    await pay(shop, id);
    await eventually(async () =>
      expect(Object.keys((await stateOf(shop.server, buyer.headers)).projects)).toHaveLength(1),
    );
    expect((await order(shop, buyer.headers, { promo })).statusCode).toBe(406);
  });

  test("discounts one of 50 concurrent checkouts", async () => {
    const shop = await openShop({ works: false });
    const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
    const promo = await refcodeOf(shop, referrer.id);
    const responses = await Promise.all(Array.from({ length: 50 }, () => order(shop, buyer.headers, { promo })));
    const statuses = responses.map(({ statusCode }) => statusCode).sort();
    expect(statuses).toEqual([200, ...Array(49).fill(406)]);
    const { data } = await shop.stripe.checkout.sessions.list({ limit: 100 });
    expect(data.filter(({ discounts }) => discounts?.length)).toHaveLength(1);
    expect((await shop.stripe.coupons.list()).data).toHaveLength(1);
  });

  test("can be used again after its checkout expires or is cancelled", async () => {
    const shop = await openShop();
    const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
    const promo = await refcodeOf(shop, referrer.id);
    const { id } = (await order(shop, buyer.headers, { promo })).json<CheckoutSession>();
    await shop.click(`/stripe/pay/${id}`, "expire");
    await eventually(async () => expect((await order(shop, buyer.headers, { promo })).statusCode).toBe(200));
    const [open] = await shop.server.db.select().from(checkouts).where(eq(checkouts.state, "open"));
    await shop.server.app.inject({ url: `/billing/cancelled/${open?.id}`, headers: buyer.headers });
    const renamed = await order(shop, buyer.headers, { promo });
    expect(renamed.statusCode).toBe(200);
    expect(await shop.stripe.checkout.sessions.retrieve(open?.sessionId as string)).toMatchObject({
      status: "expired",
    });
  });

  test("with REFERRAL_DURATION=forever discounts every invoice", async () => {
    const shop = await openShop({ env: { REFERRAL_DURATION: "forever", REFERRAL_PERCENT_OFF: "50" } });
    const [referrer, buyer] = [await newBuyer(shop), await newBuyer(shop)];
    const { sub_id: subId } = await buy(shop, buyer.headers, { promo: await refcodeOf(shop, referrer.id) });
    await shop.click(`/stripe/subscription/${subId}`, "endPeriod");
    const { data } = await shop.stripe.invoices.list({ subscription: subId });
    expect(data.map(({ total }) => total)).toEqual([1450, 1450]);
  });
});
