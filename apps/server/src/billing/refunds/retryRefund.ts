import { lockUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { payRefund } from "./payRefund.ts";
import { findRefund, type RefundRow, updateRefund } from "./queries.ts";
import type { Refunding } from "./recordRefund.ts";

/** Tries once more to refund what is owed, after an operator looked at its problem. Undefined if nothing is owed. */
export async function retryRefund(billing: Refunding, id: string): Promise<RefundRow | undefined> {
  const isOwed = await billing.db.transaction((tx) =>
    changeOwed(tx, id, ({ attempt }) => ({ state: "owed", problem: null, attempt: attempt + 1 })),
  );
  if (!isOwed) return undefined;
  await payRefund(billing, id);
  return findRefund(billing.db, id);
}

/** Takes what is owed off the list, because the customer got it in another way. False if nothing is owed. */
export function settleRefund({ db }: Pick<Refunding, "db">, id: string): Promise<boolean> {
  return db.transaction((tx) => changeOwed(tx, id, () => ({ state: "settled", problem: "settled by an operator" })));
}

async function changeOwed(tx: Tx, id: string, change: (refund: RefundRow) => Partial<RefundRow>): Promise<boolean> {
  const found = await findRefund(tx, id);
  if (!found) return false;
  await lockUser(tx, found.userId);
  const known = await findRefund(tx, id);
  if (!known || (known.state !== "owed" && known.state !== "failed")) return false;
  await updateRefund(tx, id, change(known));
  return true;
}
