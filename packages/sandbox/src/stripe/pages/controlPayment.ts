import { closeDispute, openDispute } from "../disputes.ts";
import type { Objects } from "../objects.ts";
import { chargeOf, paymentsOf } from "../payments.ts";
import { endRefund, refund } from "../refunds.ts";
import type { StripeContext } from "../StripeContext.ts";
import { StripeFault } from "../StripeFault.ts";

/** What can happen to the last payment of a subscription, with the labels of the control page. */
export const paymentActions = {
  refund: "Refund the last invoice",
  settleRefund: "Complete its refund",
  failRefund: "Fail its refund",
  dispute: "Dispute the last payment",
  inquire: "Inquire about the last payment",
  winDispute: "Win the dispute",
  loseDispute: "Lose the dispute",
};
type PaymentAction = keyof typeof paymentActions;

export function isPaymentAction(action: string): action is PaymentAction {
  return Object.hasOwn(paymentActions, action);
}

export function controlPayment(context: StripeContext, subscription: Objects["subscription"], action: PaymentAction) {
  const { store } = context;
  const [payment] = paymentsOf(context, String(subscription.latest_invoice));
  const charge = chargeOf(context, payment?.payment.payment_intent);
  if (!charge) throw new StripeFault(400, "There is no payment.");
  if (action === "refund") return refund(context, charge);
  if (action === "dispute" || action === "inquire") return openDispute(context, charge, action === "inquire");
  if (action === "settleRefund" || action === "failRefund") {
    const last = store.all("refund").find((one) => one.charge === charge.id);
    if (!last) throw new StripeFault(400, "There is no refund.");
    return endRefund(context, last, action === "failRefund" ? "failed" : "succeeded");
  }
  const dispute = store.all("dispute").find((one) => one.charge === charge.id);
  if (!dispute) throw new StripeFault(400, "There is no dispute.");
  return closeDispute(context, dispute, action === "winDispute" ? "won" : "lost");
}
