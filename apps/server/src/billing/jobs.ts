import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** A checkout was paid, or expired. */
export const syncCheckoutJob = defineJob({
  name: "syncCheckout",
  payload: z.object({ sessionId: z.string() }),
  key: "sessionId",
});

/** A subscription began, was renewed, is past due, or ended. */
export const syncSubscriptionJob = defineJob({
  name: "syncSubscription",
  payload: z.object({ subId: z.string() }),
  key: "subId",
});

/** An invoice was paid, or its payment failed. */
export const syncInvoiceJob = defineJob({
  name: "syncInvoice",
  payload: z.object({ invoiceId: z.string() }),
  key: "invoiceId",
});

/** A payment was refunded or disputed, or is on its way. */
export const syncPaymentJob = defineJob({
  // The name of earlier versions, whose jobs may still wait.
  name: "syncRefund",
  payload: z.object({ paymentIntent: z.string() }),
  key: "paymentIntent",
});

/** A customer is owed a refund, or something happened to it. */
export const payRefundJob = defineJob({
  name: "payRefund",
  payload: z.object({ refundId: z.uuid() }),
  key: "refundId",
});

/** A dispute was lost. */
export const takeCreditJob = defineJob({
  name: "takeCredit",
  payload: z.object({ disputeId: z.string() }),
  key: "disputeId",
});

/** When a subscription ends. `withPeriod`: with the paid period, or now if the period that has begun is not paid. */
const ends = z.enum(["now", "withPeriod", "atPeriodEnd", "never"]);
export type Ends = z.output<typeof ends>;

/**
 * The customer deleted the project that a subscription pays for, or took it back; or cancelled the renewal, or resumed
 * it.
 */
export const updateAtProviderJob = defineJob({
  name: "updateAtProvider",
  payload: z.object({ subId: z.string(), ends }),
  key: "subId",
});

/** The provider's copy of a customer's details is out of date. */
export const syncCustomerJob = defineJob({
  name: "syncCustomer",
  payload: z.object({ userId: z.string() }),
  key: "userId",
});

/** The provider has looked a customer's tax number up in its register. */
export const syncTaxStatusJob = defineJob({
  name: "syncTaxStatus",
  payload: z.object({ customer: z.string(), taxId: z.string() }),
  key: "taxId",
});

/** Deletes a customer at the provider, who keeps the invoices. */
export const forgetCustomerJob = defineJob({
  name: "forgetCustomer",
  payload: z.object({ providerId: z.string() }),
  key: "providerId",
});

/** The customer closed the account: nothing can be bought for it. */
export const withdrawCheckoutsJob = defineJob({
  name: "withdrawCheckouts",
  payload: z.object({ userId: z.string() }),
  key: "userId",
});

/** Reads the provider's events that never arrived as a webhook. */
export const reconcileJob = defineJob({
  name: "reconcile",
  payload: z.object({}),
  cron: { schedule: "*/2 * * * *", attempts: 1 },
});

/** Suspends the sites whose payment is disputed, or overdue for longer than the grace period. */
export const suspendOverdueJob = defineJob({
  name: "suspendOverdue",
  payload: z.object({}),
  cron: { schedule: "*/10 * * * *", attempts: 1 },
});
