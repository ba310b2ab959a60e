import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { type Billing, unlessMissing } from "./Billing.ts";
import { withdrawCheckouts } from "./checkout/openCheckout.ts";
import { syncCustomer } from "./customers/syncCustomer.ts";
import {
  forgetCustomerJob,
  reconcileJob,
  suspendOverdueJob,
  syncCheckoutJob,
  syncCustomerJob,
  syncInvoiceJob,
  syncRefundJob,
  syncSubscriptionJob,
  updateAtProviderJob,
  withdrawCheckoutsJob,
} from "./jobs.ts";
import { reconcile } from "./sync/reconcile.ts";
import { remindOverdue } from "./sync/remindOfPayment.ts";
import { suspendOverdue } from "./sync/suspendOverdue.ts";
import { syncCheckout } from "./sync/syncCheckout.ts";
import { syncInvoice, syncRefund } from "./sync/syncInvoice.ts";
import { syncSubscription } from "./sync/syncSubscription.ts";
import { updateAtProvider } from "./sync/updateAtProvider.ts";

export function billingJobHandlers(billing: Billing): JobHandler[] {
  return [
    handleJob(syncCheckoutJob, ({ sessionId }) => syncCheckout(billing, sessionId)),
    handleJob(syncSubscriptionJob, ({ subId }) => syncSubscription(billing, subId)),
    handleJob(syncInvoiceJob, ({ invoiceId }) => syncInvoice(billing, invoiceId)),
    handleJob(syncRefundJob, ({ paymentIntent }) => syncRefund(billing, paymentIntent)),
    handleJob(updateAtProviderJob, ({ subId, ends }) => updateAtProvider(billing, subId, ends)),
    handleJob(syncCustomerJob, ({ userId }) => syncCustomer(billing, userId)),
    handleJob(forgetCustomerJob, ({ providerId }) => unlessMissing(billing.stripe.customers.del(providerId))),
    handleJob(withdrawCheckoutsJob, ({ userId }) => withdrawCheckouts(billing, userId)),
    handleJob(reconcileJob, () => reconcile(billing)),
    handleJob(suspendOverdueJob, async () => {
      await remindOverdue(billing);
      await suspendOverdue(billing);
    }),
  ];
}
