import type { Stripe } from "stripe";
import { isRefusal } from "../Billing.ts";
import { leftOf, type Payment, readPayments, stateOf, sum } from "../readPayments.ts";
import { findRefund, type RefundRow } from "./queries.ts";
import { type Obstacle, type Refunding, recordRefund, recordTrouble } from "./recordRefund.ts";
import { returnCredit } from "./returnCredit.ts";

const disputedProblem = "the payment is disputed";

/**
 * Refunds what is owed, once, and records what became of it at the provider. It can run again at any time: a refund
 * that was made before is recognised by its metadata, also without its answer. A person has to look at a problem first,
 * except for a dispute, which ends by itself.
 */
export async function payRefund(billing: Refunding, id: string) {
  const refund = await findRefund(billing.db, id);
  if (!refund || refund.state === "settled") return;
  const payments = refund.invoiceId ? await readPayments(billing, refund.invoiceId) : [];
  await requireAllPayments(billing, refund, payments);
  const isTried = refund.problem === null || refund.problem === disputedProblem;
  // What the bank has returned is not tried again by itself.
  const isReturned = payments.some(({ failedRefunds }) => failedRefunds.some((one) => isOfAttempt(refund, one)));
  if (refund.state !== "owed" || !isTried || isReturned) return recordOwn(billing, refund, payments);

  const obstacle = findObstacle(refund, payments);
  if (obstacle) return recordTrouble(billing, refund, obstacle);
  try {
    await createRefunds(billing, refund, payments);
  } catch (error) {
    if (!isRefusal(error)) throw error;
    return explainRefusal(billing, refund, error);
  }
  await recordRefunded(billing, refund, refund.invoiceId ? await readPayments(billing, refund.invoiceId) : []);
}

async function recordRefunded(billing: Refunding, refund: RefundRow, payments: Payment[]) {
  const { subId, invoiceId } = refund;
  const hasCredit = !subId || !invoiceId || (await returnCredit(billing.stripe, refund, invoiceId));
  await recordOwn(billing, refund, payments, { hasCredit });
}

/** The provider may list a payment a moment after it says that the invoice is paid. */
async function requireAllPayments({ stripe }: Refunding, { subId, invoiceId }: RefundRow, payments: Payment[]) {
  if (!subId || !invoiceId) return;
  const { amount_paid: paid } = await stripe.invoices.retrieve(invoiceId);
  const listed = payments.reduce((total, payment) => total + payment.paid, 0);
  if (listed < paid) throw new Error(`payments of invoice ${invoiceId} are missing: ${listed} of ${paid}`);
}

function findObstacle(refund: RefundRow, payments: Payment[]): Obstacle | undefined {
  const states = payments.flatMap(({ disputes }) => disputes.map(stateOf));
  if (states.includes("lost")) return { problem: "the bank has returned the payment", isSettled: true };
  if (states.includes("open")) return { problem: disputedProblem };
  const others = payments.flatMap(({ refunds }) => refunds.filter((one) => !isOwn(refund, one)));
  if (refund.subId && others.length > 0) return { problem: "it was refunded by hand", isSettled: true };
  const left = payments.reduce((total, payment) => total + leftOf(payment), 0);
  return left < missingOf(refund, payments) ? { problem: "less than that is left of the payment" } : undefined;
}

async function createRefunds({ stripe }: Refunding, refund: RefundRow, payments: Payment[]) {
  const { id, attempt, subId, reason } = refund;
  let missing = missingOf(refund, payments);
  for (const payment of payments) {
    const amount = Math.min(leftOf(payment), missing);
    if (amount === 0) continue;
    await stripe.refunds.create(
      {
        payment_intent: payment.intent,
        amount,
        metadata: { refund: id, attempt },
        ...(!subId && { reason: reason as Stripe.RefundCreateParams.Reason }),
      },
      { idempotencyKey: `refund-${id}-${attempt}-${payment.intent}` },
    );
    missing -= amount;
  }
}

/** A refusal may be the answer to what was done meanwhile, by an earlier run or by a person. */
async function explainRefusal(billing: Refunding, refund: RefundRow, error: Stripe.errors.StripeError) {
  const payments = refund.invoiceId ? await readPayments(billing, refund.invoiceId) : [];
  if (missingOf(refund, payments) === 0) return recordRefunded(billing, refund, payments);
  await recordTrouble(billing, refund, findObstacle(refund, payments) ?? { problem: error.message });
}

function recordOwn(billing: Refunding, refund: RefundRow, payments: Payment[], { hasCredit = true } = {}) {
  const own = payments.flatMap(({ refunds }) => refunds.filter((one) => isOwn(refund, one)));
  const failed = payments.flatMap(({ failedRefunds }) => failedRefunds.filter((one) => isOfAttempt(refund, one)));
  return recordRefund(billing, refund.id, {
    due: dueOf(refund, payments),
    own,
    failed,
    attempt: refund.attempt,
    hasCredit,
  });
}

/** A purchase that was not fulfilled is refunded as it was paid. */
function dueOf({ subId, amount }: RefundRow, payments: Payment[]): number {
  return subId ? payments.reduce((total, { paid }) => total + paid, 0) : amount;
}

function missingOf(refund: RefundRow, payments: Payment[]): number {
  const own = payments.flatMap(({ refunds }) => refunds.filter((one) => isOwn(refund, one)));
  return dueOf(refund, payments) - sum(own);
}

function isOfAttempt(refund: RefundRow, one: Stripe.Refund): boolean {
  return isOwn(refund, one) && one.metadata?.["attempt"] === String(refund.attempt);
}

function isOwn({ id }: RefundRow, { metadata }: Stripe.Refund): boolean {
  return metadata?.["refund"] === id;
}
