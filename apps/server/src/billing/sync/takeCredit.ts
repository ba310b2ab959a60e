import type { Stripe } from "stripe";
import { findUser } from "../../account/queries.ts";
import { type Billing, unlessMissing } from "../Billing.ts";
import { findDispute } from "../disputes.ts";
import { findSubscription } from "../queries.ts";
import { sum } from "../readPayments.ts";

/**
 * A lost dispute has returned a payment to the customer. What is left of it as credit, after a change to a cheaper plan,
 * is taken back, once.
 */
export async function takeCredit({ db, stripe }: Billing, disputeId: string) {
  const dispute = await findDispute(db, disputeId);
  const subscription = dispute?.state === "lost" ? await findSubscription(db, dispute.subId) : undefined;
  const customerId = subscription && (await findUser(db, subscription.userId))?.providerId;
  if (!dispute || !customerId) return;
  const customer = await unlessMissing(stripe.customers.retrieve(customerId));
  if (!customer || customer.deleted || customer.balance >= 0) return;
  const { data: known } = await stripe.customers.listBalanceTransactions(customerId, { limit: 100 });
  const taken = known.filter(({ metadata }) => metadata?.["dispute"]);
  if (taken.some(({ metadata }) => metadata?.["dispute"] === disputeId)) return;
  const left = (await creditSince(stripe, dispute)) - sum(taken);
  if (left <= 0) return;
  await stripe.customers.createBalanceTransaction(
    customerId,
    {
      amount: Math.min(-customer.balance, dispute.amount, left),
      currency: dispute.currency,
      metadata: { dispute: disputeId },
    },
    { idempotencyKey: `dispute-${disputeId}-credit` },
  );
}

/** What changes to cheaper plans have credited since the disputed invoice. The customer's other credit stays. */
async function creditSince(stripe: Stripe, { subId, invoiceId }: { subId: string; invoiceId: string }) {
  const { created } = await stripe.invoices.retrieve(invoiceId);
  let credited = 0;
  for await (const { total } of stripe.invoices.list({ subscription: subId, created: { gte: created } }))
    credited += Math.max(0, -total);
  return credited;
}
