import { readFileSync } from "node:fs";
import type { User } from "@nido/contract";
import { answering } from "@nido/test-kit/answering";
import { buy, newBuyer, openShop, order, type Shop, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import { expect, test, vi } from "vitest";
import { users } from "../../db/schema.ts";
import type { StripeAccess } from "../Billing.ts";
import { syncCustomer } from "./syncCustomer.ts";

async function openAccount(shop: Shop) {
  const buyer = await newBuyer(shop);
  const set = (change: Partial<typeof users.$inferInsert>) =>
    shop.server.db.update(users).set(change).where(eq(users.id, buyer.id));
  const id = String(await syncCustomer(shop.server.billing, buyer.id));
  return {
    ...buyer,
    set,
    sync: async () => {
      await syncCustomer(shop.server.billing, buyer.id);
      const customer = await shop.stripe.customers.retrieve(id);
      if (customer.deleted) throw new Error("deleted");
      const { data } = await shop.stripe.customers.listTaxIds(id);
      return { ...customer, taxIds: data.map(({ type, value }) => `${type} ${value}`) };
    },
    type: (change: object) => shop.stripe.customers.update(id, change),
    typeTaxId: (type: "gb_vat", value: string) => shop.stripe.customers.createTaxId(id, { type, value }),
    /** The state is cached until the change has been announced. */
    sees: (shown: Partial<User>) =>
      eventually(async () => expect((await stateOf(shop.server, buyer.headers)).user).toMatchObject(shown)),
  };
}

const migration = readFileSync(new URL("../../db/migrations/0037_provider_copy.sql", import.meta.url), "utf8");
const home = { address: "Calle Luz 1", city: "Cádiz", zipcode: "11001", country: "ES" };
const nowhere = { address: "", city: "", state: "", zipcode: "", country: "" };

test("what the customer typed on the provider's pages stays until it is changed here", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.type({ name: "Panadería Luz SL", phone: "+34600111222", address: { line1: "Rúa 2", country: "PT" } });
  const typed = { name: "Panadería Luz SL", phone: "+34600111222", address: { line1: "Rúa 2", country: "PT" } };
  await ana.set({ lang: "en" });
  expect(await ana.sync()).toMatchObject({ ...typed, preferred_locales: ["en"] });
  await ana.set({ phone: "+34 600 000 000" });
  expect(await ana.sync()).toMatchObject({ ...typed, phone: "+34600000000" });
  await ana.set({ companyName: "Luz SL", ...home, email: "luz@example.com" });
  expect(await ana.sync()).toMatchObject({
    name: "Luz SL",
    email: "luz@example.com",
    address: { line1: "Calle Luz 1", postal_code: "11001", country: "ES" },
  });
});

test("an account that is removed while its customer is made leaves none at the provider", async () => {
  const shop = await openShop({ works: false });
  const { billing, db } = shop.server;
  const { customers } = billing.stripe;
  const { id } = await newBuyer(shop);
  const create = customers.create.bind(customers);
  vi.spyOn(customers, "create").mockImplementationOnce(async (...request) => {
    const made = await create(...request);
    await db.update(users).set({ removedAt: new Date() }).where(eq(users.id, id));
    return made;
  });
  expect(await syncCustomer(billing, id)).toBeUndefined();
  expect((await customers.list()).data).toEqual([]);
});

test("what is removed here is removed there", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.set({ ...home, phone: "+34600000000", companyName: "Luz SL" });
  await ana.sync();
  await ana.set({ ...nowhere, phone: "", companyName: "" });
  expect(await ana.sync()).toMatchObject({ address: null, phone: null, name: "Ana" });
});

test("a customer who was never synced gets only what is missing there", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.type({ name: "Panadería Luz SL" });
  await ana.set({ providerCopy: null, phone: "+34600000000" });
  expect(await ana.sync()).toMatchObject({ name: "Panadería Luz SL", phone: "+34600000000" });
});

test("a customer from before the copy was kept has one after the update, so that the next change is sent", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  const details = { ...home, address: 'Calle "Luz" 1\\2', phone: "+34 (600) 000-000", vatNumber: "B12345678" };
  await ana.set({ ...details, familyName: "García" });
  await ana.sync();
  const read = async () => (await shop.server.db.select().from(users).where(eq(users.id, ana.id)))[0]?.providerCopy;
  const copy = await read();
  await ana.set({ providerCopy: null });
  const [, , fill = ""] = migration.split("--> statement-breakpoint");
  await shop.server.db.execute(fill);
  expect(await read()).toEqual({ ...copy, vat: "unknown", taxId: null, typedTaxIds: undefined });
  await ana.set({ phone: "" });
  expect(await ana.sync()).toMatchObject({ phone: null, taxIds: ["es_cif B12345678"] });
  expect((await read())?.taxId).toEqual(copy?.taxId);
});

test("the tax id follows the number and the country, and one typed on the payment page stays", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.typeTaxId("gb_vat", "GB123456789");
  const steps: [{ vatNumber?: string; country?: string }, string | undefined][] = [
    [{ vatNumber: "B12345678" }, undefined],
    [{ country: "ES" }, "es_cif B12345678"],
    [{ country: "PT", vatNumber: "123456789" }, "eu_vat PT123456789"],
    [{ country: "MX", vatNumber: "ABC010203AB9" }, "mx_rfc ABC010203AB9"],
    [{ country: "US", vatNumber: "123456789" }, "us_ein 12-3456789"],
    [{ country: "CH", vatNumber: "CHE123456789 MWST" }, "ch_vat CHE-123.456.789 MWST"],
    [{ vatNumber: "" }, undefined],
  ];
  for (const [change, own] of steps) {
    await ana.set(change);
    const { taxIds } = await ana.sync();
    expect(taxIds.toSorted()).toEqual(["gb_vat GB123456789", ...(own ? [own] : [])].toSorted());
    const isRefused = !own && change.vatNumber !== "";
    await ana.sees({
      invoice_tax_id: [...(own ? [own.slice(own.indexOf(" ") + 1)] : []), "GB123456789"].join(", "),
      refused_details: isRefused ? ["vat_number"] : [],
    });
  }
});

test("syncs that run at the same time end with what the customer typed last, and with one tax id", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.set({ country: "ES" });
  await ana.sync();
  for (let round = 0; round < 5; round++) {
    const number = `B1234567${round}`;
    await ana.set({ vatNumber: `A0000000${round}`, phone: "+34611111111" });
    const first = ana.sync();
    await ana.set({ vatNumber: number, phone: `+3460000000${round}` });
    await Promise.all([first, ana.sync(), ana.sync()]);
    expect(await ana.sync()).toMatchObject({ phone: `+3460000000${round}`, taxIds: [`es_cif ${number}`] });
    await ana.sees({ invoice_tax_id: number });
  }
});

test("a number that the provider refuses removes the outdated one, and the customer sees both", async () => {
  const shop = await openShop({ works: false });
  const ana = await openAccount(shop);
  await ana.set({ country: "ES", vatNumber: "B12345678" });
  expect((await ana.sync()).taxIds).toEqual(["es_cif B12345678"]);
  await ana.set({ vatNumber: "ES123456789" });
  expect((await ana.sync()).taxIds).toEqual([]);
  await ana.sees({ invoice_tax_id: "", refused_details: ["vat_number"] });
  await ana.set({ vatNumber: "ESB12345678" });
  expect((await ana.sync()).taxIds).toEqual(["eu_vat ESB12345678"]);
  await ana.sees({ invoice_tax_id: "ESB12345678", refused_details: [] });
});

test("what the provider refuses is shown at its field, does not stop the rest, nor buying, nor is it tried again", async () => {
  let updates = 0;
  const through = (access: StripeAccess) =>
    answering(access, ({ method, url }) => {
      if (method === "POST" && /^\/v1\/customers\/\w+$/.test(url ?? "")) updates++;
      return undefined;
    });
  const shop = await openShop({ env: { STRIPE_AUTOMATIC_TAX: "on" }, through });
  const ana = await openAccount(shop);
  await ana.set(home);
  await buy(shop, ana.headers);
  await ana.set({ country: "US", zipcode: "", phone: "+34600000000" });
  expect(await ana.sync()).toMatchObject({ phone: "+34600000000", address: { country: "ES" } });
  await ana.sees({ refused_details: ["address"] });
  updates = 0;
  await ana.set({ lang: "en" });
  await ana.sync();
  await ana.sees({ refused_details: ["address"] });
  expect(updates).toBe(1);
  expect((await order(shop, ana.headers)).statusCode).toBe(200);
  await ana.set({ zipcode: "10001" });
  expect(await ana.sync()).toMatchObject({ address: { country: "US", postal_code: "10001" } });
  await ana.sees({ refused_details: [] });
});

test("an e-mail address that the provider refuses does not prevent a purchase", async () => {
  const shop = await openShop({ works: false });
  const ben = await newBuyer(shop, "ben@localhost");
  expect((await order(shop, ben.headers)).statusCode).toBe(200);
  expect((await stateOf(shop.server, ben.headers)).user.refused_details).toEqual(["email"]);
});
