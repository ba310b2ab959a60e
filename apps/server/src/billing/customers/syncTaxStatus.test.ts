import type { User } from "@nido/contract";
import { newBuyer, openShop, reported, type Shop, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { eq } from "drizzle-orm";
import { expect, test } from "vitest";
import { users } from "../../db/schema.ts";
import { syncCustomer } from "./syncCustomer.ts";
import { syncTaxStatus } from "./syncTaxStatus.ts";

async function openCompany(shop: Shop, vatNumber = "ESB12345678", country = "ES") {
  const buyer = await newBuyer(shop);
  await shop.server.db.update(users).set({ vatNumber, country }).where(eq(users.id, buyer.id));
  const customer = String(await syncCustomer(shop.server.billing, buyer.id));
  const [taxId] = (await shop.stripe.customers.listTaxIds(customer)).data;
  return {
    ...buyer,
    customer,
    taxId: taxId?.id as string,
    /** The register answers. */
    answer: (status: "verified" | "unverified") => shop.click(`/stripe/tax-id/${taxId?.id}`, status),
    sees: (shown: Partial<User>) =>
      eventually(async () => expect((await stateOf(shop.server, buyer.headers)).user).toMatchObject(shown)),
  };
}

test("what the register says about a VAT number is shown, also if it changes", async () => {
  const shop = await openShop();
  const { answer, sees } = await openCompany(shop);
  await sees({ invoice_tax_id: "ESB12345678", invoice_tax_id_status: "pending" });
  await answer("verified");
  await sees({ invoice_tax_id_status: "verified" });
  await answer("unverified");
  await sees({ invoice_tax_id_status: "unverified", refused_details: [] });
});

test("a number that is in no register has no status", async () => {
  const shop = await openShop();
  const { headers, sees } = await openCompany(shop, "12-3456789", "US");
  await sees({ invoice_tax_id: "12-3456789" });
  expect((await stateOf(shop.server, headers)).user).not.toHaveProperty("invoice_tax_id_status");
});

test("an answer that comes before its number is recorded is not lost", async () => {
  const shop = await openShop({ works: false });
  const { id, customer, taxId, answer, sees } = await openCompany(shop);
  await answer("verified");
  const [row] = await shop.server.db.select().from(users).where(eq(users.id, id));
  // As the moment before the sync that made the tax id has recorded it.
  const before = row?.providerCopy && { ...row.providerCopy, taxId: null, vat: "" };
  await shop.server.db
    .update(users)
    .set({ providerCopy: before ?? null })
    .where(eq(users.id, id));
  await syncTaxStatus(shop.server.billing, customer, taxId);
  await sees({ invoice_tax_id: "ESB12345678", invoice_tax_id_status: "verified" });
});

test("an answer about a number that was replaced meanwhile changes nothing", async () => {
  const shop = await openShop();
  const { id, customer, taxId, sees } = await openCompany(shop);
  await shop.server.db.update(users).set({ vatNumber: "ESB87654321" }).where(eq(users.id, id));
  await syncCustomer(shop.server.billing, id);
  await syncTaxStatus(shop.server.billing, customer, taxId);
  await reported(shop);
  await sees({ invoice_tax_id: "ESB87654321", invoice_tax_id_status: "pending" });
});

test("numbers that are typed or removed on the provider's pages are shown as on invoices", async () => {
  const shop = await openShop();
  const { customer, taxId, sees } = await openCompany(shop, "12-3456789", "US");
  await sees({ invoice_tax_id: "12-3456789" });
  const typed = await shop.stripe.customers.createTaxId(customer, { type: "eu_vat", value: "PT123456789" });
  await sees({ invoice_tax_id: "12-3456789, PT123456789" });
  await shop.stripe.customers.deleteTaxId(customer, typed.id);
  await sees({ invoice_tax_id: "12-3456789" });
  // The number is still in the settings, so it belongs on invoices.
  await shop.stripe.customers.deleteTaxId(customer, taxId);
  await eventually(async () => {
    const { data } = await shop.stripe.customers.listTaxIds(customer);
    expect(data.map(({ id, value }) => [id === taxId, value])).toEqual([[false, "12-3456789"]]);
  });
  await sees({ invoice_tax_id: "12-3456789" });
});
