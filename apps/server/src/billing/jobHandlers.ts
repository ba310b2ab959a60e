import type { Performers } from "../jobs/startJobs.ts";
import type { Billing } from "./Billing.ts";
import { cancelAtProvider } from "./sync/cancelAtProvider.ts";
import { reconcile } from "./sync/reconcile.ts";
import { suspendOverdue } from "./sync/suspendOverdue.ts";
import { syncCheckout } from "./sync/syncCheckout.ts";
import { syncCustomer } from "./sync/syncCustomer.ts";
import { syncInvoice, syncRefund } from "./sync/syncInvoice.ts";
import { syncSubscription } from "./sync/syncSubscription.ts";

/** What billing does in the background. */
export function billingJobs(billing: Billing): Performers {
  return {
    syncCheckout: ({ sessionId }) => syncCheckout(billing, sessionId),
    syncSubscription: ({ subId }) => syncSubscription(billing, subId),
    syncInvoice: ({ invoiceId }) => syncInvoice(billing, invoiceId),
    syncRefund: ({ paymentIntent }) => syncRefund(billing, paymentIntent),
    cancelAtProvider: ({ subId }) => cancelAtProvider(billing, subId),
    syncCustomer: async ({ userId }) => void (await syncCustomer(billing, userId)),
    reconcile: () => reconcile(billing),
    suspendOverdue: () => suspendOverdue(billing),
  };
}

export const billingSchedule = `
*/2 * * * * reconcile ?jobKey=reconcile&max=1
*/10 * * * * suspendOverdue ?jobKey=suspendOverdue&max=1
`;
