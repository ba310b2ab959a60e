import { handleJob, type JobHandler } from "../jobs/defineJob.ts";
import { type Billing, unlessMissing } from "./Billing.ts";
import { withdrawCheckouts } from "./checkout/openCheckout.ts";
import { syncCustomer } from "./customers/syncCustomer.ts";
import { syncTaxStatus } from "./customers/syncTaxStatus.ts";
import {
  forgetCustomerJob,
  payRefundJob,
  reconcileJob,
  suspendOverdueJob,
  syncCheckoutJob,
  syncCustomerJob,
  syncInvoiceJob,
  syncPaymentJob,
  syncSubscriptionJob,
  syncTaxStatusJob,
  takeCreditJob,
  updateAtProviderJob,
  withdrawCheckoutsJob,
} from "./jobs.ts";
import { payRefund } from "./refunds/payRefund.ts";
import { reconcile } from "./sync/reconcile.ts";
import { remindOverdue } from "./sync/remindOfPayment.ts";
import { suspendAllDisputed } from "./sync/suspendDisputed.ts";
import { suspendOverdue } from "./sync/suspendOverdue.ts";
import { syncCheckout } from "./sync/syncCheckout.ts";
import { syncInvoice, syncPayment } from "./sync/syncInvoice.ts";
import { syncSubscription } from "./sync/syncSubscription.ts";
import { takeCredit } from "./sync/takeCredit.ts";
import { updateAtProvider } from "./sync/updateAtProvider.ts";

export function billingJobHandlers(billing: Billing): JobHandler[] {
  return [
    handleJob(syncCheckoutJob, ({ sessionId }) => syncCheckout(billing, sessionId)),
    handleJob(syncSubscriptionJob, ({ subId }) => syncSubscription(billing, subId)),
    handleJob(syncInvoiceJob, ({ invoiceId }) => syncInvoice(billing, invoiceId)),
    handleJob(syncPaymentJob, ({ paymentIntent }) => syncPayment(billing, paymentIntent)),
    handleJob(takeCreditJob, ({ disputeId }) => takeCredit(billing, disputeId)),
    handleJob(payRefundJob, ({ refundId }) => payRefund(billing, refundId)),
    handleJob(updateAtProviderJob, ({ subId, ends }) => updateAtProvider(billing, subId, ends)),
    handleJob(syncCustomerJob, ({ userId }) => syncCustomer(billing, userId)),
    handleJob(syncTaxStatusJob, ({ customer, taxId }) => syncTaxStatus(billing, customer, taxId)),
    handleJob(forgetCustomerJob, ({ providerId }) => unlessMissing(billing.stripe.customers.del(providerId))),
    handleJob(withdrawCheckoutsJob, ({ userId }) => withdrawCheckouts(billing, userId)),
    handleJob(reconcileJob, () => reconcile(billing)),
    handleJob(suspendOverdueJob, async () => {
      await remindOverdue(billing);
      await suspendOverdue(billing);
      await suspendAllDisputed(billing);
    }),
  ];
}
