import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import type { Billing } from "../Billing.ts";
import { findSubscription } from "../queries.ts";
import { leftOf, type Payment } from "../readPayments.ts";
import { problemOf } from "./oweRefund.ts";
import { hasRefund, insertRefund } from "./queries.ts";

const listingSeconds = 600;

/**
 * A payment that arrives after its subscription has ended pays for a period without a site: the invoice's page was open,
 * or a direct debit was on its way. It is refunded by itself, once.
 */
export async function oweLatePayment({ db }: Billing, subId: string, invoice: Stripe.Invoice, payments: Payment[]) {
  const { id: invoiceId, currency, lines } = invoice;
  const paidAt = invoice.status_transitions.paid_at ?? 0;
  const amount = payments.reduce((total, payment) => total + leftOf(payment), 0);
  if (!invoiceId) return;
  await db.transaction(async (tx) => {
    const owner = await findSubscription(tx, subId);
    if (!owner?.endedAt) return;
    const { userId, endedAt } = owner;
    const isLater = (seconds: number) => seconds * 1000 > endedAt.getTime();
    if (!isLater(paidAt) || !lines.data.some(({ period }) => isLater(period.end))) return;
    // The provider may list a payment a moment after it says that the invoice is paid. What was paid elsewhere, it never
    // lists.
    const listed = payments.reduce((total, { paid }) => total + paid, 0);
    const isFresh = Date.now() / 1000 - paidAt < listingSeconds;
    if (isFresh && listed < invoice.amount_paid) throw new Error(`payments of invoice ${invoiceId} are missing`);
    await lockUser(tx, userId);
    if (amount === 0 || (await hasRefund(tx, invoiceId))) return;
    const problem = problemOf(paidAt);
    await insertRefund(tx, { userId, invoiceId, amount, currency, reason: "requested_by_customer", problem });
  });
}
