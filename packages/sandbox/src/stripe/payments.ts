import { z } from "zod";
import { text } from "./parameters.ts";
import { passes, type Route, readRoutes } from "./Route.ts";
import type { StripeContext } from "./StripeContext.ts";

export const paymentRoutes: Route[] = [
  ...readRoutes(
    "invoice_payment",
    "/v1/invoice_payments",
    {
      invoice: text.optional(),
      status: text.optional(),
      payment: z.strictObject({ type: z.literal("payment_intent"), payment_intent: text }).optional(),
    },
    (object, { invoice, status, payment }) =>
      passes<unknown>(object.invoice, invoice) &&
      passes(object.status, status) &&
      passes<unknown>(object.payment.payment_intent, payment?.payment_intent),
  ),
  ...readRoutes("payment_intent", "/v1/payment_intents", { customer: text.optional() }, (object, { customer }) =>
    passes<unknown>(object.customer, customer),
  ),
  ...readRoutes("charge", "/v1/charges", { customer: text.optional() }, (object, { customer }) =>
    passes<unknown>(object.customer, customer),
  ),
];

export function paymentsOf({ store }: StripeContext, invoiceId: string) {
  return store.all("invoice_payment").filter(({ invoice }) => invoice === invoiceId);
}

/** The charge of a payment, by its payment intent. */
export function chargeOf({ store }: StripeContext, paymentIntent: unknown) {
  return store.all("charge").find((charge) => charge.payment_intent === paymentIntent);
}
