import { findByProviderId, lockUser, updateUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { syncCustomer } from "./syncCustomer.ts";

/** Records what the provider found in the register of a tax id, such as VIES. */
export async function syncTaxStatus(billing: Billing, customer: string, id: string) {
  const { db, stripe } = billing;
  const found = await unlessMissing(stripe.customers.retrieveTaxId(customer, id));
  const user = await findByProviderId(db, customer);
  if (!found?.verification || !user) return;
  const { status } = found.verification;
  const isRecorded = await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const copy = (await findByProviderId(tx, customer))?.providerCopy;
    if (copy?.taxId?.id !== id) return false;
    await updateUser(tx, user.id, { providerCopy: { ...copy, taxId: { ...copy.taxId, status } } });
    await announceChange(tx, user.id);
    return true;
  });
  // The tax id is being recorded just now, perhaps with its earlier status: a sync reads it again.
  if (!isRecorded) await syncCustomer(billing, user.id);
}
