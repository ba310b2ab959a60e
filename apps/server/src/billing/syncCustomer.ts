import type { Stripe } from "stripe";
import { findUser, type UserRow, updateUser } from "../account/queries.ts";
import { type Billing, isRefusal } from "./Billing.ts";

/**
 * Tells the provider who the customer is, and returns how it knows them. Made once: with the same key and
 * parameters the provider answers a repeated call with the first one's customer.
 */
export async function syncCustomer(billing: Billing, userId: string): Promise<string> {
  const { db, stripe } = billing;
  const user = await findUser(db, userId);
  if (!user) throw new Error(`there is no customer ${userId}`);
  let id = user.providerId;
  if (!id) {
    const params = { email: user.email, metadata: { user: userId } };
    const customer = await stripe.customers.create(params, { idempotencyKey: `customer-${userId}` });
    id = customer.id;
    await db.transaction((tx) => updateUser(tx, userId, { providerId: customer.id }));
  }
  await stripe.customers.update(id, describe(user));
  await syncTaxId(billing, id, user);
  return id;
}

function describe(user: UserRow): Stripe.CustomerUpdateParams {
  const person = `${user.givenName} ${user.familyName}`.trim();
  return {
    name: user.companyName || person,
    phone: user.phone,
    preferred_locales: [user.lang],
    address: {
      line1: user.address,
      city: user.city,
      state: user.state,
      postal_code: user.zipcode,
      country: user.country,
    },
    metadata: { user: user.id, vat_number: user.vatNumber },
  };
}

/** The VAT number appears on invoices where the provider takes it for one; otherwise only we know it. */
async function syncTaxId({ stripe, log }: Billing, customerId: string, user: UserRow) {
  const wanted = toTaxId(user.vatNumber, user.country);
  const known = await stripe.customers.listTaxIds(customerId);
  for (const { id, value } of known.data)
    if (value !== wanted?.value) await stripe.customers.deleteTaxId(customerId, id);
  if (!wanted || known.data.some(({ value }) => value === wanted.value)) return;
  try {
    await stripe.customers.createTaxId(customerId, wanted);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.info({ err: error }, "the provider does not take a VAT number");
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
