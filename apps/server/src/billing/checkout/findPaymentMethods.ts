import { type PaymentMethod, takesDays } from "@nido/contract";
import type { Billing } from "../Billing.ts";
import { hasFailedProcessing } from "./queries.ts";

/**
 * The payment methods that a customer is offered. After a failed direct debit it is only the immediate ones, for a
 * month: otherwise made-up accounts at a bank could hold names again and again.
 */
export async function findPaymentMethods({ db, config }: Billing, userId: string): Promise<PaymentMethod[]> {
  const methods = config.PAYMENT_METHODS;
  if (!methods.some(takesDays) || !(await hasFailedProcessing(db, userId))) return methods;
  return methods.filter((method) => !takesDays(method));
}
