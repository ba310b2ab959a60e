import { lockUser } from "../account/queries.ts";
import type { Tx } from "../db/connect.ts";
import { dissolveIfEmpty, findEarnings, insertEarning, reverseEarnings } from "./queries.ts";

interface Payment {
  referrerId: string;
  invoiceId: string;
  /** the amount paid minus refunds, in cents, without tax */
  paid: number;
  currency: string;
  percent: number;
  /** why it earns nothing: buyer and referrer seem to be one person */
  refusal?: "same_card" | "same_address" | undefined;
}

/**
 * Makes the ledger entries of an invoice add up to its referrer's earning. It is idempotent. A full refund reverses
 * entries that are not paid out yet. Any other difference becomes a new entry, which is negative after a refund.
 */
export async function recordEarning(tx: Tx, { referrerId, invoiceId, paid, currency, percent, refusal }: Payment) {
  await lockUser(tx, referrerId);
  const all = await findEarnings(tx, invoiceId);
  // Decided once: a referrer who changes their card later gains nothing by it.
  if (all.some(({ state }) => state === "refused")) return;
  const agreed = all[0]?.percent ?? percent;
  const entries = all.filter(({ state }) => state !== "reversed");
  const due = Math.floor((paid * agreed) / 100);
  const change = due - entries.reduce((sum, { amount }) => sum + amount, 0);
  if (change === 0) return;
  // A reduction belongs to the payout request that contains the earning.
  const requested = change < 0 ? entries.find(({ state }) => state === "requested") : undefined;
  if (due === 0 && entries.every(({ state }) => state !== "paid")) await reverseEarnings(tx, invoiceId);
  else {
    const part = requested ? { state: requested.state, payoutId: requested.payoutId } : {};
    const decision = refusal && all.length === 0 ? { state: "refused" as const, refusal } : part;
    await insertEarning(tx, { referrerId, invoiceId, amount: change, currency, percent: agreed, ...decision });
  }
  if (requested?.payoutId) await dissolveIfEmpty(tx, requested.payoutId);
}
