// The operator's commands for refunds:
//   npm run refunds                      lists what is owed to customers and why, and what was refunded
//   npm run refunds -- refund INVOICE [AMOUNT] --reason duplicate|fraudulent|requested_by_customer [--again]
//                                        refunds an invoice, named by its number or id, or a part of it
//   npm run refunds -- pay ID            tries again to refund what is owed
//   npm run refunds -- settled ID        takes it off the list: the customer got it in another way
import { parseArgs } from "node:util";
import { connectStripe } from "../apps/server/src/billing/Billing.ts";
import { showAmount } from "../apps/server/src/billing/refunds/parseAmount.ts";
import { findRefunds, type RefundRow } from "../apps/server/src/billing/refunds/queries.ts";
import { refundInvoice, refundReasons } from "../apps/server/src/billing/refunds/refundInvoice.ts";
import { retryRefund, settleRefund } from "../apps/server/src/billing/refunds/retryRefund.ts";
import { configuredStripe } from "../apps/server/src/processes/providers.ts";
import { config, db, operate } from "./operate.ts";

const options = { reason: { type: "string" }, again: { type: "boolean" } } as const;

await operate(act);

async function act(): Promise<string> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options });
  const [verb = "list", id = "", amount] = positionals;
  if (verb === "list") return list();
  if (verb === "settled") {
    if (await settleRefund({ db }, id)) return `${id} is settled.`;
    throw new Error(`No refund ${id} is owed.`);
  }
  if (verb === "pay") {
    const refund = await retryRefund(billing(), id);
    if (refund) return describe(refund);
    throw new Error(`No refund ${id} is owed.`);
  }
  const reason = refundReasons.find((name) => name === values.reason);
  if (verb === "refund" && id && reason)
    return describe(await refundInvoice(billing(), { invoice: id, amount, reason, isAgain: values.again ?? false }));
  throw new Error(
    `Usage: npm run refunds -- list | refund INVOICE [AMOUNT] --reason ${refundReasons.join("|")} [--again] | pay ID | settled ID`,
  );
}

function billing() {
  const stripe = configuredStripe(config);
  if (!stripe) throw new Error("STRIPE_SECRET_KEY is not set. Payments of the stand-in are refunded on its page.");
  return { db, config, stripe: connectStripe(stripe) };
}

function describe({ id, amount, currency, state, problem }: RefundRow): string {
  if (state === "owed" || state === "failed" || state === "settled")
    throw new Error(`${id} is not refunded: ${problem ?? "it is being tried again"}.`);
  return `${showAmount(amount, currency)} ${state === "pending" ? "will be" : "are"} refunded: ${id}.`;
}

async function list(): Promise<string> {
  const { owed, refunded } = await findRefunds(db);
  const line = ({ refund, email }: (typeof owed)[number]) =>
    [
      refund.id,
      refund.createdAt.toISOString().slice(0, 10),
      showAmount(refund.amount, refund.currency).padStart(14),
      refund.state.padEnd(8),
      [refund.invoiceId ?? "no invoice", email, refund.reason, refund.problem].filter(Boolean).join("  "),
    ].join("  ");
  return [
    owed.length > 0 ? `Owed:\n${owed.map(line).join("\n")}` : "Nothing is owed.",
    ...(refunded.length > 0 ? [`Refunded:\n${refunded.map(line).join("\n")}`] : []),
  ].join("\n\n");
}
