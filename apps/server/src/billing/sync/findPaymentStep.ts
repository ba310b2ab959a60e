import type { Stripe } from "stripe";
import type { Billing } from "../Billing.ts";

export type PaymentStep = "declined" | "confirm" | "processing";

/** How far the payment of an unpaid invoice has come; undefined before the first attempt. */
export async function findPaymentStep({ stripe }: Billing, invoiceId: string): Promise<PaymentStep | undefined> {
  const expand = ["data.payment.payment_intent"];
  const steps: (PaymentStep | undefined)[] = [];
  for await (const { payment } of stripe.invoicePayments.list({ invoice: invoiceId, expand }))
    if (typeof payment.payment_intent === "object") steps.push(stepOf(payment.payment_intent));
  return (["processing", "confirm", "declined"] as const).find((step) => steps.includes(step));
}

function stepOf({ status, next_action, last_payment_error: error }: Stripe.PaymentIntent): PaymentStep | undefined {
  if (status === "processing") return "processing";
  // The bank account of some direct debits is verified first, by small deposits.
  if (next_action?.type === "verify_with_microdeposits") return "processing";
  if (status === "requires_action" || error?.code === "authentication_required") return "confirm";
  return status === "canceled" || error ? "declined" : undefined;
}
