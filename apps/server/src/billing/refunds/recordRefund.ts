import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { operator, platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer, mailOperator } from "../../mail/queueMail.ts";
import type { Billing } from "../Billing.ts";
import { sum } from "../readPayments.ts";
import { findRefund, type RefundRow, updateRefund } from "./queries.ts";

/** The part of `Billing` that the operator's command has, too. */
export type Refunding = Pick<Billing, "db" | "stripe" | "config">;

interface Report {
  /** what has to be refunded */
  due: number;
  /** the refunds at the provider, and those of this attempt that failed */
  own: Stripe.Refund[];
  failed: Stripe.Refund[];
  attempt: number;
  /** false: the credit that paid a part of it could not be given back */
  hasCredit: boolean;
}

/** Why it must not be refunded now. `isSettled`: nothing is owed any more. */
export interface Obstacle {
  problem: string;
  isSettled?: boolean;
}

/** Records what became of a refund. The customer is told once that the money is on its way. */
export async function recordRefund(billing: Refunding, id: string, { due, own, failed, attempt, hasCredit }: Report) {
  await change(billing, id, async (tx, known) => {
    const isCovered = sum(own) >= due;
    const isPending = own.some(({ status }) => status !== "succeeded");
    const [returned] = known.attempt === attempt ? failed : [];
    if (isCovered) {
      const state = isPending ? "pending" : "refunded";
      if (known.state !== "owed") return updateRefund(tx, id, { state });
      const problem = hasCredit ? null : "the customer's credit could not be given back";
      await updateRefund(tx, id, { state, amount: due, problem });
      if (problem) await tellOperator(tx, billing, { ...known, problem });
      await tell(tx, { ...known, amount: due });
    } else if (returned && known.state !== "failed") {
      const problem = `the bank returned it: ${returned.failure_reason ?? returned.status}`;
      await updateRefund(tx, id, { state: "failed", problem });
      await tellOperator(tx, billing, { ...known, problem });
    }
  });
}

/** Records why a refund cannot be made now. The next attempt has another idempotency key. */
export async function recordTrouble(billing: Refunding, { id }: RefundRow, { problem, isSettled = false }: Obstacle) {
  await change(billing, id, async (tx, known) => {
    if (known.state !== "owed" || known.problem === problem) return;
    const state = isSettled ? "settled" : "owed";
    await updateRefund(tx, id, { state, problem, attempt: known.attempt + 1 });
    if (!isSettled) await tellOperator(tx, billing, { ...known, problem });
  });
}

async function change({ db }: Refunding, id: string, work: (tx: Tx, known: RefundRow) => Promise<void>) {
  await db.transaction(async (tx) => {
    const found = await findRefund(tx, id);
    if (!found) return;
    await lockUser(tx, found.userId);
    const known = await findRefund(tx, id);
    if (known && known.state !== "settled") await work(tx, known);
  });
}

async function tell(tx: Tx, { id, userId, subId, name, amount, currency }: RefundRow) {
  const key = `refund ${id}`;
  const money = { amount, currency };
  const isNew =
    subId && name
      ? await record(tx, userId, platform, { kind: "purchaseRefunded", params: { project: name, ...money }, key })
      : await record(tx, userId, operator, { kind: "paymentRefunded", params: money, key });
  if (!isNew) return;
  if (subId && name) await mailCustomer(tx, userId, "purchaseRefunded", { name, ...money }, key);
  else await mailCustomer(tx, userId, "refunded", money, key);
  await announceChange(tx, userId);
}

function tellOperator(tx: Tx, { config }: Refunding, { id, amount, currency, problem }: RefundRow) {
  return mailOperator(tx, config, "operatorRefund", { id, amount, currency, problem: problem ?? "" });
}
