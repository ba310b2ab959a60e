import { lockUser } from "../account/queries.ts";
import type { Tx } from "../db/connect.ts";
import { findEarnings, insertEarning, reverseEarnings } from "./queries.ts";

interface Payment {
  referrerId: string;
  invoiceId: string;
  /** what is left of it after refunds, in cents, without tax */
  paid: number;
  currency: string;
  percent: number;
}

/**
 * Makes the ledger's entries of an invoice add up to what its referrer earns of it. Told the same twice, it
 * changes nothing. What was refunded before the referrer had the money is reversed; afterwards it is owed back.
 */
export async function recordEarning(tx: Tx, { referrerId, invoiceId, paid, currency, percent }: Payment) {
  await lockUser(tx, referrerId);
  const entries = (await findEarnings(tx, invoiceId)).filter(({ state }) => state !== "reversed");
  const due = Math.floor((paid * (entries[0]?.percent ?? percent)) / 100);
  const recorded = entries.reduce((sum, { amount }) => sum + amount, 0);
  if (due === recorded) return;
  if (due === 0 && entries.every(({ state }) => state !== "paid")) return reverseEarnings(tx, invoiceId);
  await insertEarning(tx, {
    referrerId,
    invoiceId,
    amount: due - recorded,
    currency,
    percent: entries[0]?.percent ?? percent,
  });
}
