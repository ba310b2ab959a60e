import type { InvoicePage } from "@nido/contract";
import { answering } from "@nido/test-kit/answering";
import {
  buy,
  type Headers,
  newBuyer,
  openShop,
  order,
  pay,
  projectsOf,
  type Shop,
  settled,
  stateOf,
} from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { activity } from "../db/schema.ts";
import type { StripeAccess } from "./Billing.ts";

async function invoicesOf({ server }: Shop, headers: object, after?: string) {
  const url = `/billing/invoices${after ? `?after=${after}` : ""}`;
  const response = await server.app.inject({ url, headers: headers as Headers });
  return { status: response.statusCode, page: response.json<InvoicePage>() };
}

async function act({ server }: Shop, headers: Headers, project_id: string, renews: boolean) {
  const payload = { type: "SET_RENEWAL", payload: { project_id, renews } };
  const response = await server.app.inject({ method: "POST", url: "/redux", headers, payload });
  return [response.statusCode, response.json().error];
}

test("a customer's invoices come by page, the newest first, with VAT, page and PDF", async () => {
  const shop = await openShop({ env: { STRIPE_AUTOMATIC_TAX: "on" } });
  const ana = await newBuyer(shop);
  expect(await invoicesOf(shop, ana.headers)).toEqual({ status: 200, page: { invoices: [] } });
  const country = { user_address: "", user_city: "", user_state: "", user_zipcode: "", user_country: "ES" };
  const payload = { type: "UPDATE_USER_ADDRESS", payload: country };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers: ana.headers, payload });
  const { sub_id } = await buy(shop, ana.headers);
  for (let renewal = 0; renewal < 21; renewal++) await shop.click(`/stripe/subscription/${sub_id}`, "endPeriod");
  const { page } = await invoicesOf(shop, ana.headers);
  expect(page.invoices).toHaveLength(20);
  expect(page.invoices[0]).toEqual({
    id: expect.stringMatching(/^in_/),
    number: expect.stringMatching(/-0022$/),
    created_at: expect.stringMatching(/^\d{4}-/),
    total: 3509,
    vat: 609,
    currency: "eur",
    state: "paid",
    url: expect.stringContaining("/stripe/invoice/"),
    pdf: expect.stringContaining("/stripe/invoice/"),
  });
  const { page: rest } = await invoicesOf(shop, ana.headers, page.next);
  expect(rest.invoices.map(({ number }) => number.slice(-5))).toEqual(["-0002", "-0001"]);
  expect(rest).not.toHaveProperty("next");

  const ben = await newBuyer(shop);
  await buy(shop, ben.headers);
  const { page: others } = await invoicesOf(shop, ben.headers, page.next);
  expect(others.invoices).toEqual([]);
  expect((await invoicesOf(shop, { host: "localhost:3000" })).status).toBe(401);
  await settled(shop);
});

test("a credit at the provider is shown", async () => {
  let credited: object | undefined;
  const through = (access: StripeAccess) =>
    answering(access, ({ method, url }) =>
      credited && method === "GET" && url?.startsWith("/v1/customers/") ? { status: 200, body: credited } : undefined,
    );
  const shop = await openShop({ through });
  const { headers } = await newBuyer(shop);
  await buy(shop, headers);
  expect((await invoicesOf(shop, headers)).page).not.toHaveProperty("credit");
  const [customer] = (await shop.stripe.customers.list()).data;
  credited = { ...customer, balance: -1500, currency: "eur" };
  expect((await invoicesOf(shop, headers)).page.credit).toEqual({ amount: 1500, currency: "eur" });
});

test("the renewal is cancelled and resumed without the portal, once each", async () => {
  const shop = await openShop();
  const ana = await newBuyer(shop);
  const { id, sub_id } = await buy(shop, ana.headers);
  const ending = async () => (await stateOf(shop.server, ana.headers)).subscriptions[sub_id]?.cancel_at_period_end;
  const atProvider = async () => (await shop.stripe.subscriptions.retrieve(sub_id)).cancel_at_period_end;
  for (const isEnding of [true, false]) {
    for (let click = 0; click < 2; click++)
      expect(await act(shop, ana.headers, id, !isEnding)).toEqual([200, undefined]);
    expect(await ending()).toBe(isEnding);
    await eventually(async () => expect(await atProvider()).toBe(isEnding));
    await settled(shop);
    expect(await ending()).toBe(isEnding);
  }
  const entries = await shop.server.db.select().from(activity).where(eq(activity.projectId, id));
  const kinds = entries.map(({ kind }) => kind).filter((kind) => kind.startsWith("renewal"));
  expect(kinds.toSorted()).toEqual(["renewalCancelled", "renewalResumed"]);

  const ben = await newBuyer(shop);
  expect(await act(shop, ben.headers, id, false)).toEqual([404, "error_project_not_found"]);
  await shop.click(`/stripe/subscription/${sub_id}`, "failPeriod");
  await eventually(async () => expect(await act(shop, ana.headers, id, false)).toEqual([409, "error_renewal_owed"]));
});

test("what was cancelled in the portal is resumed here, and renewed at the end of the period", async () => {
  const shop = await openShop();
  const { headers } = await newBuyer(shop);
  const { id, sub_id } = await buy(shop, headers);
  const subscription = async () => (await stateOf(shop.server, headers)).subscriptions[sub_id];
  const before = await subscription();
  const portal = await shop.server.app.inject({ method: "POST", url: "/billing/portal", headers });
  const body = new URLSearchParams({ action: "cancel", subscription: sub_id });
  await fetch(portal.json().url, { method: "POST", body, redirect: "manual" });
  await eventually(async () => expect((await subscription())?.cancel_at_period_end).toBe(true));
  await settled(shop);
  expect(await act(shop, headers, id, true)).toEqual([200, undefined]);
  await eventually(async () => expect((await shop.stripe.subscriptions.retrieve(sub_id)).cancel_at).toBeNull());
  await settled(shop);
  await shop.click(`/stripe/subscription/${sub_id}`, "endPeriod");
  await eventually(async () =>
    expect(await subscription()).toMatchObject({
      cancel_at_period_end: false,
      current_period_start: before?.current_period_end,
    }),
  );
});

test("cancelling while the invoice of the new period is open ends nothing that has begun", async () => {
  const shop = await openShop({ delivers: false, works: false });
  const { headers } = await newBuyer(shop);
  await pay(shop, (await order(shop, headers)).json<{ id: string }>().id);
  await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
  await shop.work();
  const [project] = await projectsOf(shop.server, headers);
  const { id = "", sub_id = "" } = project ?? {};
  // The invoice is open, and the event that says so is lost.
  await shop.click(`/stripe/subscription/${sub_id}`, "failPeriod");
  expect(await act(shop, headers, id, false)).toEqual([200, undefined]);
  await shop.work();
  expect(await shop.stripe.subscriptions.retrieve(sub_id)).toMatchObject({
    status: "past_due",
    cancel_at_period_end: true,
  });
});
