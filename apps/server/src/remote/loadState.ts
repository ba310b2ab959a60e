import type { CustomerState } from "@nido/contract";
import { presentUser } from "../account/presentUser.ts";
import { findUser } from "../account/queries.ts";
import type { Db, Tx } from "../db/connect.ts";

/** What the customer's dashboard holds, in one round trip; undefined for a customer who is gone. */
export async function loadState(db: Db | Tx, userId: string): Promise<CustomerState | undefined> {
  const user = await findUser(db, userId);
  return user && { rev: user.rev, user: presentUser(user), projects: {}, subscriptions: {} };
}
