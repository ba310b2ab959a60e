import { z } from "zod";
import { isSettledAgainst } from "./disputes.ts";
import type { Objects } from "./objects.ts";
import { mergeMetadata, metadata, positive, since, takes, text } from "./parameters.ts";
import { chargeOf } from "./payments.ts";
import { isWithin, passes, type Route, readRoutes, route } from "./Route.ts";
import { newId, now } from "./Store.ts";
import type { StripeContext } from "./StripeContext.ts";
import { StripeFault } from "./StripeFault.ts";

type Charge = Objects["charge"];
type Refund = Objects["refund"];

/** The last digits of a card whose refunds take some days, as of Stripe's test card 4000 0000 0000 7726. */
export const slowRefundCard = "7726";

export const refundRoutes: Route[] = [
  route(
    "POST",
    "/v1/refunds",
    takes({
      charge: text.optional(),
      payment_intent: text.optional(),
      amount: positive.optional(),
      reason: z.enum(["duplicate", "fraudulent", "requested_by_customer"]).optional(),
      metadata: metadata.optional(),
    }),
    (context, { charge: chargeId, payment_intent: intent, ...params }) => {
      if (!chargeId === !intent)
        throw new StripeFault(400, "You must provide either a charge or a payment_intent.", {
          code: "parameter_missing",
          param: "charge",
        });
      const charge = chargeId ? context.store.find("charge", chargeId) : chargeOf(context, intent);
      const param = chargeId ? "charge" : "payment_intent";
      if (!charge) throw new StripeFault(404, `No such ${param}`, { code: "resource_missing", param });
      return refund(context, charge, params);
    },
  ),
  ...readRoutes(
    "refund",
    "/v1/refunds",
    { charge: text.optional(), payment_intent: text.optional(), created: since.optional() },
    (object, { charge, payment_intent: intent, created }) =>
      passes<unknown>(object.charge, charge) &&
      passes<unknown>(object.payment_intent, intent) &&
      isWithin(object.created, created),
  ),
];

interface RefundParams {
  amount?: number | undefined;
  reason?: Refund["reason"] | undefined;
  metadata?: Record<string, string> | undefined;
}

export function refund(context: StripeContext, charge: Charge, params: RefundParams = {}): Refund {
  const { store } = context;
  const left = charge.amount - charge.amount_refunded;
  const amount = params.amount ?? left;
  if (store.all("dispute").some((dispute) => dispute.charge === charge.id && isSettledAgainst(dispute)))
    throw new StripeFault(400, `Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: "charge_disputed",
    });
  if (left === 0)
    throw new StripeFault(400, `Charge ${charge.id} has already been refunded.`, { code: "charge_already_refunded" });
  if (amount > left)
    throw new StripeFault(400, `Refund amount (${amount}) is greater than unrefunded amount on charge (${left})`, {
      param: "amount",
    });

  const refunded = setRefunded(context, charge, charge.amount_refunded + amount);
  const isSlow = store.find("_card", charge.payment_method)?.last4 === slowRefundCard;
  const created = store.put({
    id: newId("re"),
    object: "refund",
    amount,
    balance_transaction: null,
    charge: charge.id,
    created: now(),
    currency: charge.currency,
    customer: charge.customer,
    customer_account: null,
    metadata: mergeMetadata({}, params.metadata),
    payment_intent: charge.payment_intent,
    payment_method: charge.payment_method,
    reason: params.reason ?? null,
    receipt_number: null,
    source_transfer_reversal: null,
    status: isSlow ? "pending" : "succeeded",
    transfer_reversal: null,
  });
  context.emit("refund.created", created);
  context.emit("charge.refunded", refunded, { amount_refunded: charge.amount_refunded });
  return created;
}

/** Ends a pending refund. A bank can also return one that seemed to have succeeded. */
export function endRefund(context: StripeContext, old: Refund, status: "succeeded" | "failed"): Refund {
  const isOver = old.status === "failed" || old.status === status;
  if (isOver) throw new StripeFault(400, `The refund has ${old.status}.`);
  const ended = context.store.put({
    ...old,
    status,
    ...(status === "failed" && { failure_reason: "expired_or_canceled_card" }),
  });
  if (status === "failed") {
    const charge = context.store.get("charge", String(old.charge));
    setRefunded(context, charge, charge.amount_refunded - old.amount);
    context.emit("refund.failed", ended, { status: old.status });
  }
  context.emit("refund.updated", ended, { status: old.status });
  context.emit("charge.refund.updated", ended, { status: old.status });
  return ended;
}

function setRefunded({ store }: StripeContext, charge: Charge, amount: number): Charge {
  return store.put({ ...charge, amount_refunded: amount, refunded: amount === charge.amount });
}
