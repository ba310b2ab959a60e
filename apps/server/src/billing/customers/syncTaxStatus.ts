import { findByProviderId, lockUser, updateUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { syncCustomer } from "./syncCustomer.ts";

/**
 * Records what the provider found in the register of a tax id, such as VIES. One that was typed or removed on the
 * provider's pages is read again with the others.
 */
export async function syncTaxStatus(billing: Billing, customer: string, id: string) {
  const { db, stripe } = billing;
  const found = await unlessMissing(stripe.customers.retrieveTaxId(customer, id));
  const user = await findByProviderId(db, customer);
  if (!user) return;
  const isRecorded = await db.transaction(async (tx) => {
    await lockUser(tx, user.id);
    const copy = (await findByProviderId(tx, customer))?.providerCopy;
    // The tax id is being recorded just now, perhaps with its earlier status.
    if (!copy) return false;
    const { typedTaxIds: _, ...rest } = copy;
    const own = copy.taxId?.id === id ? copy.taxId : undefined;
    const status = found?.verification?.status;
    if (own && found && !status) return true;
    const unmade = own ? { vat: "", taxId: null } : {};
    const changed = own && status ? { ...copy, taxId: { ...own, status } } : { ...rest, ...unmade };
    await updateUser(tx, user.id, { providerCopy: changed });
    await announceChange(tx, user.id);
    return own !== undefined && status !== undefined;
  });
  if (!isRecorded) await syncCustomer(billing, user.id);
}
