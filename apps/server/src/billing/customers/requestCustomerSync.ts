import { findUser } from "../../account/queries.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { syncCustomerJob } from "../jobs.ts";

/** Queues an update of the customer's details at the provider, if the customer exists there. */
export async function requestCustomerSync(tx: Tx, userId: string) {
  const user = await findUser(tx, userId);
  if (user?.providerId) await enqueue(tx, syncCustomerJob, { userId }, user.providerId);
}
