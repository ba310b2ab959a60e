import { fail } from "./invoices.ts";
import type { Objects } from "./objects.ts";
import { intentOf, settle } from "./payInvoice.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";
import { setStatus } from "./subscriptions.ts";

/** The invoice of a subscription whose direct debit is on its way. */
export function findDebit(context: StripeContext, { latest_invoice: id }: Objects["subscription"]) {
  const invoice = context.store.find("invoice", id as string | null);
  const isProcessing = invoice?.status === "open" && intentOf(context, invoice.id)?.status === "processing";
  return isProcessing ? invoice : undefined;
}

/** Ends a direct debit, which takes some days at a bank: the money arrives, or the bank refuses. */
export function settleDebit(context: StripeContext, subscription: Objects["subscription"], isPaid: boolean) {
  const { store } = context;
  const invoice = findDebit(context, subscription);
  if (!invoice) throw new StripeFault(400, "No direct debit is being processed.");
  const card = store.find("_card", subscription.default_payment_method as string | null);
  if (isPaid) settle(context, invoice, card);
  else fail(context, invoice, "requires_payment_method", card);
  const isFirst = invoice.billing_reason === "subscription_create";
  // An ended subscription stays ended, and a first payment that failed leaves it incomplete.
  if (subscription.status !== "canceled" && (isPaid || !isFirst))
    setStatus(context, subscription, isPaid ? "active" : "past_due");
  const session = isFirst
    ? store.all("checkout.session").find((each) => each.subscription === subscription.id)
    : undefined;
  if (!session) return;
  const settled = store.put({ ...session, payment_status: isPaid ? "paid" : "unpaid" });
  context.emit(`checkout.session.async_payment_${isPaid ? "succeeded" : "failed"}`, settled);
}
