import type { Stripe } from "stripe";
import { type Billing, isRefusal, unlessMissing } from "../Billing.ts";

/** Voids what is open of a subscription that has ended: the provider's page of an open invoice would still take money. */
export async function voidInvoices(billing: Billing, subId: string) {
  for await (const { id } of billing.stripe.invoices.list({ subscription: subId, status: "open" }))
    await voidInvoice(billing, id);
}

/** Returns the invoice's status afterwards. One whose direct debit is on its way cannot be voided. */
export async function voidInvoice(
  { stripe, log }: Billing,
  id: string | undefined,
): Promise<Stripe.Invoice["status"] | undefined> {
  const invoice = id ? await unlessMissing(stripe.invoices.retrieve(id)) : undefined;
  if (!id || invoice?.status !== "open") return invoice?.status;
  try {
    return (await stripe.invoices.voidInvoice(id)).status;
  } catch (error) {
    if (!isRefusal(error)) throw error;
    log.error(
      { err: error, invoice: id },
      "an invoice of a subscription that ended could not be voided: it may be paid",
    );
    return (await stripe.invoices.retrieve(id)).status;
  }
}
