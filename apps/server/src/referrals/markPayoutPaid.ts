import { lockUser } from "../account/queries.ts";
import { operator, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { findRequestedPayouts, updatePayoutPaid } from "./queries.ts";

/** Marks a payout request as paid; false if it does not have exactly this sum, which a refund may have changed. */
export async function markPayoutPaid(tx: Tx, id: string, sum: number): Promise<boolean> {
  const find = async () => (await findRequestedPayouts(tx)).find((payout) => payout.id === id);
  const requested = await find();
  if (!requested) return false;
  await lockUser(tx, requested.userId);
  if ((await find())?.sum !== sum) return false;
  await updatePayoutPaid(tx, id);
  const { userId, currency } = requested;
  await mailCustomer(tx, userId, "payoutPaid", { amount: sum, currency });
  await record(tx, userId, operator, { kind: "payoutPaid", params: { amount: sum, currency } });
  await announceChange(tx, userId);
  return true;
}
