import { randomUUID } from "node:crypto";
import type { Stripe } from "stripe";
import { findUser, replaceProviderId, type UserRow } from "../../account/queries.ts";
import { type Billing, isFailure, isRefusal, unlessMissing } from "../Billing.ts";

const phoneMaxLength = 20; // the provider's

/** Tells the provider who the customer is, and returns how it knows them. */
export async function syncCustomer(billing: Billing, userId: string): Promise<string> {
  const { db, stripe } = billing;
  const user = await findUser(db, userId);
  if (!user) throw new Error(`there is no customer ${userId}`);
  const known = user.providerId ? await findCustomer(stripe, user.providerId) : undefined;
  const customer = known ?? (await adopt(billing, user, await createCustomer(stripe, user)));
  // The number first: what the provider has noted below says that it has it.
  await syncTaxId(billing, customer, user);
  await stripe.customers.update(customer.id, describe(user));
  return customer.id;
}

/** Undefined where the provider does not know them, or no more: it was another account's, or was deleted there. */
async function findCustomer(stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> {
  const customer = await unlessMissing(stripe.customers.retrieve(id));
  return customer && !customer.deleted ? customer : undefined;
}

/** Remembers a new customer, unless another call was faster; then it is that one's. */
async function adopt({ db, stripe }: Billing, user: UserRow, made: Stripe.Customer): Promise<Stripe.Customer> {
  const winner = await db.transaction((tx) => replaceProviderId(tx, user.id, user.providerId, made.id));
  return winner === made.id ? made : ((await findCustomer(stripe, winner)) ?? made);
}

/** Made once: with the same key and parameters the provider answers a repeated call with the first one's customer. */
async function createCustomer(stripe: Stripe, { id, email, providerId }: UserRow): Promise<Stripe.Customer> {
  const params = { email, metadata: { user: id } };
  const key = ["customer", id, ...(providerId ? [providerId] : [])].join("-");
  try {
    return await stripe.customers.create(params, { idempotencyKey: key });
  } catch (error) {
    if (!isFailure(error)) throw error;
    // The provider repeats its own failure under the same key for a day, whether it made the customer or not.
    for await (const customer of stripe.customers.list({ email }))
      if (customer.metadata["user"] === id) return customer;
    return stripe.customers.create(params, { idempotencyKey: `${key}-${randomUUID()}` });
  }
}

/** What is not known here is left out: the payment page may have asked for it. */
function describe(user: UserRow): Stripe.CustomerUpdateParams {
  const name = user.companyName || `${user.givenName} ${user.familyName}`.trim();
  return {
    ...(name && { name }),
    phone: user.phone.replace(/[^\d+]/g, "").slice(0, phoneMaxLength),
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

/** The VAT number appears on invoices where the provider takes it for one; otherwise only we know it. */
async function syncTaxId({ stripe, log }: Billing, customer: Stripe.Customer, user: UserRow) {
  const before = customer.metadata["vat_number"] ?? "";
  if (before === user.vatNumber) return;
  const ours = toTaxId(before, user.country)?.value;
  const wanted = toTaxId(user.vatNumber, user.country);
  const known = await stripe.customers.listTaxIds(customer.id);
  for (const { id, value } of known.data)
    if (value === ours && value !== wanted?.value) await unlessMissing(stripe.customers.deleteTaxId(customer.id, id));
  if (!wanted || known.data.some(({ value }) => value === wanted.value)) return;
  try {
    await stripe.customers.createTaxId(customer.id, wanted);
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
