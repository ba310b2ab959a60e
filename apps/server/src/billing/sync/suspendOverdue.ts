import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { suspendProject } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueProjects, findSubscription, isProjectOverdue } from "../queries.ts";

/** Suspends the sites whose payment is overdue for longer than the grace period. */
export async function suspendOverdue({ db, config: { GRACE_DAYS: graceDays } }: Billing) {
  for (const project of await findOverdueProjects(db, graceDays))
    await db.transaction((tx) => suspendIfOverdue(tx, project, graceDays));
}

/** Checks again under the customer's lock, because the payment may have arrived meanwhile. */
export async function suspendIfOverdue(tx: Tx, { id, userId }: { id: string; userId: string }, graceDays: number) {
  await lockUser(tx, userId);
  if (!(await isProjectOverdue(tx, id, graceDays))) return;
  const project = await suspendProject(tx, id);
  if (project) {
    const params = { project: project.name, why: "payment" } as const;
    await record(tx, userId, platform, { kind: "projectSuspended", params, projectId: id });
    const url = (await findSubscription(tx, project.subId))?.payUrl ?? null;
    await mailCustomer(tx, userId, "suspended", { projectId: id, name: project.name, url });
  }
  await announceChange(tx, userId);
}
