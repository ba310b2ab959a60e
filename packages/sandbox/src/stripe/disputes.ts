import { disputeDefaults, movementOf } from "./disputeDefaults.ts";
import type { Objects } from "./objects.ts";
import { since, text } from "./parameters.ts";
import { isWithin, passes, type Route, readRoutes } from "./Route.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Dispute = Objects["dispute"];

export const disputeRoutes: Route[] = readRoutes(
  "dispute",
  "/v1/disputes",
  { charge: text.optional(), payment_intent: text.optional(), created: since.optional() },
  (dispute, { charge, payment_intent: intent, created }) =>
    passes<unknown>(dispute.charge, charge) &&
    passes<unknown>(dispute.payment_intent, intent) &&
    isWithin(dispute.created, created),
);

/** Whether the money is with the bank or the cardholder. An inquiry has not withdrawn any yet. */
export function isSettledAgainst({ status }: Dispute): boolean {
  return !status.startsWith("warning_") && status !== "won";
}

const responseSeconds = 14 * 86_400;

/** The cardholder's bank disputes a payment, or inquires about it first. */
export function openDispute(context: StripeContext, charge: Objects["charge"], isInquiry: boolean): Dispute {
  const { store } = context;
  const isOpen = (dispute: Dispute) => dispute.charge === charge.id && !isOver(dispute);
  if (store.all("dispute").some(isOpen)) throw new StripeFault(400, "This payment is disputed already.");
  const amount = charge.amount - charge.amount_refunded;
  if (amount === 0) throw new StripeFault(400, "There is nothing to dispute.");
  const at = now();
  const id = newId("dp");
  const dispute = store.put({
    ...disputeDefaults,
    id,
    object: "dispute",
    amount,
    balance_transactions: isInquiry ? [] : [movementOf(id, -amount, charge.currency, at)],
    charge: charge.id,
    created: at,
    currency: charge.currency,
    evidence_details: { ...disputeDefaults.evidence_details, due_by: at + responseSeconds },
    is_charge_refundable: isInquiry,
    payment_intent: charge.payment_intent,
    reason: "fraudulent",
    status: isInquiry ? "warning_needs_response" : "needs_response",
  });
  store.put({ ...charge, disputed: true });
  context.emit("charge.dispute.created", dispute);
  if (!isInquiry) context.emit("charge.dispute.funds_withdrawn", dispute);
  return dispute;
}

/** The bank decides. An inquiry ends without a decision, whatever is asked for. */
export function closeDispute(context: StripeContext, old: Dispute, outcome: "won" | "lost"): Dispute {
  if (isOver(old)) throw new StripeFault(400, `The dispute is ${old.status}.`);
  const isInquiry = old.status.startsWith("warning_");
  const isReinstated = !isInquiry && outcome === "won";
  const closed = context.store.put({
    ...old,
    is_charge_refundable: false,
    status: isInquiry ? "warning_closed" : outcome,
    balance_transactions: isReinstated
      ? [...old.balance_transactions, movementOf(old.id, old.amount, old.currency, now())]
      : old.balance_transactions,
  });
  context.emit("charge.dispute.closed", closed, { status: old.status });
  if (isReinstated) context.emit("charge.dispute.funds_reinstated", closed);
  return closed;
}

function isOver({ status }: Dispute): boolean {
  return status === "won" || status === "lost" || status === "warning_closed";
}
