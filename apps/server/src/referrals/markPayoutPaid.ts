import { lockUser } from "../account/queries.ts";
import type { Tx } from "../db/connect.ts";
import { findRequestedPayouts, updatePayoutPaid } from "./queries.ts";

/** Records that a request was paid; false where it does not wait for exactly this sum: a refund may have changed it. */
export async function markPayoutPaid(tx: Tx, id: string, sum: number): Promise<boolean> {
  const find = async () => (await findRequestedPayouts(tx)).find((payout) => payout.id === id);
  const asked = await find();
  if (!asked) return false;
  await lockUser(tx, asked.userId);
  if ((await find())?.sum !== sum) return false;
  await updatePayoutPaid(tx, id);
  return true;
}
