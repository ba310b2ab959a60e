import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import { findUser, replaceProviderId, type UserRow } from "../../account/queries.ts";
import { type Billing, isFailure, isRefusal, unlessMissing } from "../Billing.ts";

const maxPhoneLength = 20; // the provider's limit

/** Creates or updates the customer at the provider, and returns their id there. */
export async function syncCustomer(billing: Billing, userId: string): Promise<string> {
  const { db, stripe } = billing;
  const user = await findUser(db, userId);
  if (!user) throw new Error(`customer ${userId} does not exist`);
  const existing = user.providerId ? await findCustomer(stripe, user.providerId) : undefined;
  const customer = existing ?? (await storeCustomer(billing, user, await createCustomer(stripe, user)));
  // The tax id first: the metadata of the update below records that it is in sync.
  await syncTaxId(billing, customer, user);
  await stripe.customers.update(customer.id, describe(user));
  return customer.id;
}

/** Undefined if the customer was deleted at the provider, or belongs to another account. */
async function findCustomer(stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> {
  const customer = await unlessMissing(stripe.customers.retrieve(id));
  return customer && !customer.deleted ? customer : undefined;
}

/** Stores a new customer's id by compare-and-set. If a concurrent call was faster, returns that call's customer. */
async function storeCustomer(
  { db, stripe }: Billing,
  user: UserRow,
  created: Stripe.Customer,
): Promise<Stripe.Customer> {
  const winner = await db.transaction((tx) => replaceProviderId(tx, user.id, user.providerId, created.id));
  return winner === created.id ? created : ((await findCustomer(stripe, winner)) ?? created);
}

/** Idempotent: a repeated call with the same key and parameters returns the customer of the first call. */
async function createCustomer(stripe: Stripe, { id, email, providerId }: UserRow): Promise<Stripe.Customer> {
  const params = { email, metadata: { user: id } };
  const key = ["customer", id, ...(providerId ? [providerId] : [])].join("-");
  try {
    return await stripe.customers.create(params, { idempotencyKey: key });
  } catch (error) {
    if (!isFailure(error)) throw error;
    // The provider replays the 5xx for this key for a day, even if it created the customer.
    for await (const customer of stripe.customers.list({ email }))
      if (customer.metadata["user"] === id) return customer;
    return stripe.customers.create(params, { idempotencyKey: `${key}-${randomUUID()}` });
  }
}

/** An empty name or address is left out, because the payment page may have collected it. */
function describe(user: UserRow): Stripe.CustomerUpdateParams {
  const name = user.companyName || `${user.givenName} ${user.familyName}`.trim();
  return {
    ...(name && { name }),
    phone: user.phone.replace(/[^\d+]/g, "").slice(0, maxPhoneLength),
    preferred_locales: [user.lang],
    ...(user.country && {
      address: {
        line1: user.address,
        city: user.city,
        state: user.state,
        postal_code: user.zipcode,
        country: user.country,
      },
    }),
    metadata: { user: user.id, vat_number: user.vatNumber },
  };
}

/** Makes the VAT number the customer's tax id, which invoices show. If the provider rejects it, invoices lack it. */
async function syncTaxId({ stripe, log }: Billing, customer: Stripe.Customer, user: UserRow) {
  const synced = customer.metadata["vat_number"] ?? "";
  if (synced === user.vatNumber) return;
  const previous = toTaxId(synced, user.country);
  const current = toTaxId(user.vatNumber, user.country);
  const existing = await stripe.customers.listTaxIds(customer.id);
  for (const { id, value } of existing.data)
    if (value === previous?.value && value !== current?.value)
      await unlessMissing(stripe.customers.deleteTaxId(customer.id, id));
  if (!current || existing.data.some(({ value }) => value === current.value)) return;
  try {
    await stripe.customers.createTaxId(customer.id, current);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.info({ err: error, customer: customer.id }, "the provider rejected a VAT number");
  }
}

const euPrefixes = "AT BE BG CY CZ DE DK EE EL ES FI FR HR HU IE IT LT LU LV MT NL PL PT RO SE SI SK XI".split(" ");

export function toTaxId(
  typed: string,
  country: string,
): { type: "eu_vat" | "gb_vat" | "es_cif"; value: string } | undefined {
  const value = typed.toUpperCase().replace(/[^A-Z0-9]/g, "");
  const prefix = value.slice(0, 2);
  if (euPrefixes.includes(prefix)) return { type: "eu_vat", value };
  if (prefix === "GB") return { type: "gb_vat", value };
  return value && country === "ES" ? { type: "es_cif", value } : undefined;
}
