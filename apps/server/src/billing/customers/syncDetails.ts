import type { BilledDetail } from "@nido/contract";
import type { Stripe } from "stripe";
import type { UserRow } from "../../account/queries.ts";
import type { ProviderCopy } from "../../db/schema.ts";
import { type Billing, isRefusal } from "../Billing.ts";

const mergedDetails = ["email", "name", "phone", "address"] as const;
type MergedDetail = (typeof mergedDetails)[number];
type Details = Pick<ProviderCopy, MergedDetail>;

const maxPhoneLength = 20; // the provider's limit

/**
 * Sends the provider the details that changed here since the last sync. Other details that the customer typed on its
 * pages are kept. Returns the refused ones: the provider keeps its old values for those, and gets the rest.
 */
export async function syncDetails(
  { stripe, log }: Billing,
  customer: Stripe.Customer,
  user: UserRow,
  known: Details | undefined,
): Promise<{ details: Details; changed: Set<BilledDetail>; refused: BilledDetail[] }> {
  const details = detailsOf(user);
  // A customer that was never synced holds only what was typed on the provider's pages: only empty fields are filled.
  const changed = mergedDetails.filter((name) =>
    known ? details[name] !== known[name] : details[name] && !customer[name],
  );
  const update = async (names: readonly MergedDetail[]) => {
    try {
      await stripe.customers.update(customer.id, {
        ...(names.includes("email") && { email: details.email }),
        ...(names.includes("name") && { name: details.name }),
        ...(names.includes("phone") && { phone: details.phone }),
        ...(names.includes("address") && { address: addressParams(details.address) }),
        preferred_locales: [user.lang],
        metadata: { user: user.id, vat_number: "" },
      });
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      const { code, param, requestId } = error;
      log.warn({ code, param, requestId, customer: customer.id }, "the provider refused a customer's details");
      return false;
    }
  };
  const refused: BilledDetail[] = [];
  // Errors do not always name the field, so the details are told one by one to find what is refused.
  if (!(await update(changed))) for (const name of changed) if (!(await update([name]))) refused.push(name);
  return { details, changed: new Set(changed), refused };
}

function detailsOf(user: UserRow): Details {
  return {
    email: user.email,
    name: user.companyName || `${user.givenName} ${user.familyName}`.trim(),
    phone: user.phone.replace(/[^\d+]/g, "").slice(0, maxPhoneLength),
    address: user.country
      ? JSON.stringify({
          line1: user.address,
          line2: "",
          city: user.city,
          state: user.state,
          postal_code: user.zipcode,
          country: user.country,
        })
      : "",
  };
}

/** An empty value unsets the field. */
function addressParams(address: string): Stripe.AddressParam | "" {
  return address && JSON.parse(address);
}
