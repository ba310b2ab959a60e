import { findUser, type UserRow } from "../../account/queries.ts";
import { type Billing, unlessMissing } from "../Billing.ts";

const comparedCharges = 20;

/** Why a referral earns nothing: buyer and referrer seem to be one person. Undefined if they do not. */
export async function findRefusal(billing: Billing, buyerId: string, referrerId: string) {
  const [buyer, referrer] = await Promise.all([findUser(billing.db, buyerId), findUser(billing.db, referrerId)]);
  if (!buyer || !referrer) return undefined;
  const [cards, others] = await Promise.all([findCards(billing, buyer), findCards(billing, referrer)]);
  if (cards.some((card) => others.includes(card))) return "same_card";
  return addressOf(buyer) !== undefined && addressOf(buyer) === addressOf(referrer) ? "same_address" : undefined;
}

/** The fingerprints of the cards and bank accounts that a customer paid with. Stripe gives one card the same fingerprint everywhere. */
async function findCards({ stripe }: Billing, { providerId }: UserRow): Promise<string[]> {
  if (!providerId) return [];
  const charges = await unlessMissing(stripe.charges.list({ customer: providerId, limit: comparedCharges }));
  return (charges?.data ?? []).flatMap(
    ({ payment_method_details: paid }) => (paid?.card ?? paid?.sepa_debit)?.fingerprint ?? [],
  );
}

/** The postal address, without differences of case, accents and punctuation; undefined if it is incomplete. */
function addressOf({ address, zipcode, country }: UserRow): string | undefined {
  if (!address || !zipcode) return undefined;
  return `${address} ${zipcode} ${country}`
    .normalize("NFD")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
}
