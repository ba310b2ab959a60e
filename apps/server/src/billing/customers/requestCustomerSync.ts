import { findUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { syncCustomerJob } from "../jobs.ts";

/** Has the provider's copy of a customer's details updated, if the provider knows the customer. */
export async function requestCustomerSync(tx: Tx, userId: string) {
  const user = await findUser(tx, userId);
  if (user?.providerId) await enqueue(tx, syncCustomerJob, { userId });
}
