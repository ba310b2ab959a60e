import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { suspendProject } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueProjects, findOverdueSubscriptions, isProjectOverdue } from "../queries.ts";
import { remindOfPayment } from "./remindOfPayment.ts";

/** Suspends the sites whose payment is overdue for longer than the grace period, and reminds the others. */
export async function suspendOverdue({ db, config }: Billing) {
  const { GRACE_DAYS: graceDays } = config;
  for (const subscription of await findOverdueSubscriptions(db))
    await db.transaction((tx) => remindOfPayment(tx, config, subscription));
  for (const project of await findOverdueProjects(db, graceDays))
    await db.transaction((tx) => suspendIfOverdue(tx, project, graceDays));
}

/** Checks again under the customer's lock, because the payment may have arrived meanwhile. */
export async function suspendIfOverdue(tx: Tx, { id, userId }: { id: string; userId: string }, graceDays: number) {
  await lockUser(tx, userId);
  if (!(await isProjectOverdue(tx, id, graceDays))) return;
  const project = await suspendProject(tx, id);
  if (project) await mailCustomer(tx, userId, "suspended", { projectId: id, name: project.name });
  await announceChange(tx, userId);
}
