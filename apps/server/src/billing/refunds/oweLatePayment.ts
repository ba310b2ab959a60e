import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import type { Billing } from "../Billing.ts";
import { findSubscription } from "../queries.ts";
import { leftOf, type Payment } from "../readPayments.ts";
import { hasRefund, insertRefund } from "./queries.ts";

/**
 * A payment that arrives after its subscription has ended pays for nothing: the invoice's page was open, or a direct
 * debit was on its way. It is refunded by itself, once.
 */
export async function oweLatePayment({ db }: Billing, subId: string, invoice: Stripe.Invoice, payments: Payment[]) {
  const { id: invoiceId, currency, status_transitions: times } = invoice;
  const amount = payments.reduce((sum, payment) => sum + leftOf(payment), 0);
  if (!invoiceId || amount === 0) return;
  await db.transaction(async (tx) => {
    const owner = await findSubscription(tx, subId);
    if (!owner?.endedAt || (times.paid_at ?? 0) * 1000 <= owner.endedAt.getTime()) return;
    const { userId } = owner;
    await lockUser(tx, userId);
    if (await hasRefund(tx, invoiceId)) return;
    await insertRefund(tx, { userId, invoiceId, amount, currency, reason: "requested_by_customer" });
  });
}
