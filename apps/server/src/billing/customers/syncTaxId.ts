import type { Stripe } from "stripe";
import type { UserRow } from "../../account/queries.ts";
import type { ProviderCopy } from "../../db/schema.ts";
import { type Billing, isRefusal, unlessMissing } from "../Billing.ts";
import { toTaxId } from "./toTaxId.ts";

type Synced = Pick<ProviderCopy, "vat" | "taxId" | "typedTaxIds">;

/**
 * Makes the VAT number the customer's tax id, which invoices show, and removes the one that was made from an earlier
 * number or country. Tax ids that the customer typed on the payment page stay.
 */
export async function syncTaxId(
  { stripe, log }: Billing,
  customer: Stripe.Customer,
  user: Pick<UserRow, "vatNumber" | "country">,
  known: Synced | undefined,
  unrecorded: Set<string>,
): Promise<Synced> {
  const vat = user.vatNumber && `${user.country} ${user.vatNumber}`;
  const isUnread = known?.taxId && (known.taxId.status ?? "pending") === "pending";
  if (known?.vat === vat && known.typedTaxIds && unrecorded.size === 0 && !isUnread)
    return { vat, taxId: known.taxId, typedTaxIds: known.typedTaxIds };
  const wanted = toTaxId(user.vatNumber, user.country);
  const { data: existing } = await stripe.customers.listTaxIds(customer.id, { limit: 100 });
  const same = existing.find(({ type, value }) => type === wanted?.type && value === wanted.value);
  const typedTaxIds: string[] = [];
  for (const { id, value } of existing) {
    if (id === same?.id) continue;
    // Earlier versions kept the number in the customer's metadata.
    const isOurs = known?.taxId
      ? known.taxId.id === id
      : compact(value).endsWith(compact(customer.metadata["vat_number"]));
    if (isOurs || unrecorded.has(id)) await unlessMissing(stripe.customers.deleteTaxId(customer.id, id));
    else typedTaxIds.push(value);
  }
  if (!wanted || same) return { vat, taxId: same ? copyOf(same) : null, typedTaxIds };
  try {
    const created = await stripe.customers.createTaxId(customer.id, wanted);
    unrecorded.add(created.id);
    return { vat, taxId: copyOf(created), typedTaxIds };
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.info({ code: error.code, param: error.param, customer: customer.id }, "the provider refused a VAT number");
    return { vat, taxId: null, typedTaxIds };
  }
}

/** The provider checks some kinds of numbers in their register, such as VIES, some time later. */
function copyOf({ id, value, verification }: Stripe.TaxId): Synced["taxId"] {
  return { id, value, status: verification?.status ?? "unavailable" };
}

/** Uppercase and without separators. A missing number becomes `none`, which no tax id ends with. */
function compact(number: string | undefined): string {
  return number?.toUpperCase().replace(/[^A-Z0-9]/g, "") || "none";
}
