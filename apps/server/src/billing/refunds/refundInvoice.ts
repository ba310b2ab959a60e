import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { unlessMissing } from "../Billing.ts";
import { idOf } from "../idOf.ts";
import { findSubscription } from "../queries.ts";
import { leftOf, readPayments, stateOf } from "../readPayments.ts";
import { parseAmount, showAmount } from "./parseAmount.ts";
import { payRefund } from "./payRefund.ts";
import { findRefund, findRefundsOf, insertRefund, type RefundRow } from "./queries.ts";
import type { Refunding } from "./recordRefund.ts";

/** The provider's reasons. */
export const refundReasons = ["duplicate", "fraudulent", "requested_by_customer"] as const;

interface Request {
  /** the number or the id of an invoice */
  invoice: string;
  /** as the operator wrote it; undefined: all that is left */
  amount: string | undefined;
  reason: (typeof refundReasons)[number];
  /** It is refunded although the same refund was made before. */
  isAgain: boolean;
}

/**
 * Refunds a payment for an operator, and returns how it stands. The refund is recorded before the provider is called.
 * So the same request completes a refund that was interrupted, and does not make a second one.
 */
export async function refundInvoice(billing: Refunding, request: Request): Promise<RefundRow> {
  const invoice = await findInvoice(billing, request.invoice);
  const invoiceId = invoice.id as string;
  const subId = idOf(invoice.parent?.subscription_details?.subscription);
  const owner = subId && (await findSubscription(billing.db, subId));
  if (!owner) throw new Error(`The invoice ${request.invoice} is not of a project here. Refund it in Stripe.`);

  const left = await findLeft(billing, invoiceId);
  const parsed = request.amount === undefined ? undefined : parseAmount(request.amount, invoice.currency);
  if (request.amount !== undefined && !parsed)
    throw new Error(`${request.amount} is not an amount in ${invoice.currency.toUpperCase()}.`);
  const credit = request.amount === undefined ? await findCredit(billing, idOf(invoice.customer)) : 0;
  const id = await billing.db.transaction(async (tx) => {
    await lockUser(tx, owner.userId);
    const known = await findKnown(tx, invoiceId, parsed, request);
    if (known) return known.id;
    if (credit > 0)
      throw new Error(
        `The customer has a credit of ${showAmount(credit, invoice.currency)}, for example from a change of the plan. Write the amount to refund.`,
      );
    const amount = parsed ?? left;
    if (left === 0) throw new Error(`Nothing of the invoice ${request.invoice} is left to refund.`);
    if (amount > left) throw new Error(`Only ${showAmount(left, invoice.currency)} are left to refund.`);
    const { userId } = owner;
    return insertRefund(tx, { userId, invoiceId, amount, currency: invoice.currency, reason: request.reason });
  });
  await payRefund(billing, id);
  return (await findRefund(billing.db, id)) as RefundRow;
}

/** The refund that this request made before, if it was interrupted; otherwise the request is refused. */
async function findKnown(tx: Tx, invoiceId: string, amount: number | undefined, { reason, isAgain }: Request) {
  const made = (await findRefundsOf(tx, invoiceId)).filter(({ subId, state }) => !subId && state !== "failed");
  const unfinished = made.find(({ state }) => state === "owed");
  if (unfinished && (amount ?? unfinished.amount) === unfinished.amount && unfinished.reason === reason)
    return unfinished;
  if (unfinished)
    throw new Error(
      `A refund of ${showAmount(unfinished.amount, unfinished.currency)} is not finished yet: npm run refunds -- pay ${unfinished.id}`,
    );
  const same = made.find((refund) => refund.amount === amount && refund.reason === reason);
  if (same && !isAgain)
    throw new Error(
      `${showAmount(same.amount, same.currency)} were refunded on ${same.createdAt.toISOString().slice(0, 10)}. To refund the same amount once more, add --again.`,
    );
  return undefined;
}

async function findLeft(billing: Refunding, invoiceId: string): Promise<number> {
  const payments = await readPayments(billing, invoiceId);
  if (payments.some(({ disputes }) => disputes.some((dispute) => stateOf(dispute) !== "won")))
    throw new Error("The payment is disputed, and cannot be refunded. Accept the dispute in Stripe instead.");
  return payments.reduce((total, payment) => total + leftOf(payment), 0);
}

/** What a payment has left as credit is not given back a second time unseen. */
async function findCredit({ stripe }: Refunding, customerId: string | undefined): Promise<number> {
  const customer = customerId ? await unlessMissing(stripe.customers.retrieve(customerId)) : undefined;
  return customer && !customer.deleted ? Math.max(0, -customer.balance) : 0;
}

async function findInvoice({ stripe }: Refunding, text: string): Promise<Stripe.Invoice> {
  const byId = text.startsWith("in_") ? await unlessMissing(stripe.invoices.retrieve(text)) : undefined;
  if (byId) return byId;
  if (/^[\w-]+$/.test(text)) {
    const { data } = await stripe.invoices.search({ query: `number:"${text}"`, limit: 1 });
    if (data[0]) return data[0];
  }
  throw new Error(`There is no invoice ${text}.`);
}
