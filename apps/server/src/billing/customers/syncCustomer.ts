import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Stripe } from "stripe";
import { findUser, lockUser, replaceProviderId, type UserRow, updateUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { type Billing, isFailure, isKeyConflict, isRefusal, unlessMissing } from "../Billing.ts";
import { syncDetails } from "./syncDetails.ts";
import { syncTaxId } from "./syncTaxId.ts";

const maxAttempts = 3;

/**
 * Creates or updates the customer at the provider, and returns their id there; undefined if the account was removed.
 * Refused details are recorded and shown to the customer. They stop neither the sync nor a purchase.
 */
export async function syncCustomer(billing: Billing, userId: string): Promise<string | undefined> {
  // A tax id that is made but not recorded would count as one that the customer typed.
  const unrecorded = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    const { id, isRecorded } = await syncOnce(billing, userId, unrecorded);
    // Another sync ran at the same time, and may have told the provider other details.
    if (isRecorded || attempt === maxAttempts) return id;
  }
}

async function syncOnce(billing: Billing, userId: string, unrecorded: Set<string>) {
  const { db, stripe } = billing;
  const user = await findUser(db, userId);
  if (!user) throw new Error(`customer ${userId} does not exist`);
  const removed = { id: undefined, isRecorded: true };
  if (user.removedAt) return removed;
  const existing = user.providerId ? await findCustomer(stripe, user.providerId) : undefined;
  const customer = existing ?? (await storeCustomer(billing, user, await createCustomer(stripe, user)));
  if (!customer) return removed;
  const known = user.providerCopy?.customer === customer.id ? user.providerCopy : undefined;
  const taxId = await syncTaxId(billing, customer, user, known, unrecorded);
  const { details, changed, refused } = await syncDetails(billing, customer, user, known);
  const stillRefused = known ? user.refusedDetails.filter((name) => name !== "vat_number" && !changed.has(name)) : [];
  const isRecorded = await recordSync(billing, user, {
    providerCopy: { customer: customer.id, ...details, ...taxId },
    refusedDetails: [...stillRefused, ...refused, ...(user.vatNumber && !taxId.taxId ? ["vat_number" as const] : [])],
  });
  return { id: customer.id, isRecorded };
}

type Sync = Pick<UserRow, "providerCopy" | "refusedDetails">;

/** Compare-and-set: false if another sync, or the removal of the account, was recorded meanwhile. */
function recordSync({ db }: Billing, read: UserRow, sync: Sync): Promise<boolean> {
  return db.transaction(async (tx) => {
    await lockUser(tx, read.id);
    const stored = await findUser(tx, read.id);
    if (!stored || stored.removedAt || !isDeepStrictEqual(stored.providerCopy, read.providerCopy)) return false;
    await updateUser(tx, read.id, sync);
    const isShown = ({ providerCopy, refusedDetails }: Sync) =>
      JSON.stringify([refusedDetails, providerCopy?.taxId, providerCopy?.typedTaxIds]);
    if (isShown(stored) !== isShown(sync)) await announceChange(tx, read.id);
    return true;
  });
}

/** Undefined if the customer was deleted at the provider, or belongs to another account. */
async function findCustomer(stripe: Stripe, id: string): Promise<Stripe.Customer | undefined> {
  const customer = await unlessMissing(stripe.customers.retrieve(id));
  return customer && !customer.deleted ? customer : undefined;
}

/**
 * Stores a new customer's id by compare-and-set. If a concurrent call was faster, returns that call's customer. If the
 * account was removed meanwhile, the new customer is, too.
 */
async function storeCustomer(
  { db, stripe }: Billing,
  user: UserRow,
  created: Stripe.Customer,
): Promise<Stripe.Customer | undefined> {
  const winner = await db.transaction((tx) => replaceProviderId(tx, user.id, user.providerId, created.id));
  if (winner === undefined) {
    await unlessMissing(stripe.customers.del(created.id));
    return undefined;
  }
  return winner === created.id ? created : ((await findCustomer(stripe, winner)) ?? created);
}

/** Idempotent: a repeated call with the same key and parameters returns the customer of the first call. */
async function createCustomer(stripe: Stripe, { id, email, providerId }: UserRow): Promise<Stripe.Customer> {
  const params = { email, metadata: { user: id } };
  const key = ["customer", id, ...(providerId ? [providerId] : [])].join("-");
  try {
    return await stripe.customers.create(params, { idempotencyKey: key });
  } catch (error) {
    // Retry without the e-mail address: a refused address must not prevent a purchase.
    if (isRefusal(error) && !isKeyConflict(error))
      return stripe.customers.create({ metadata: params.metadata }, { idempotencyKey: `${key}-plain` });
    if (!isFailure(error) && !isKeyConflict(error)) throw error;
    // The provider replays the 5xx for this key for a day, even if it created the customer. It refuses the key if the
    // e-mail address has changed since an attempt whose answer was lost.
    for await (const customer of stripe.customers.list({ email }))
      if (customer.metadata["user"] === id) return customer;
    return stripe.customers.create(params, { idempotencyKey: `${key}-${randomUUID()}` });
  }
}
