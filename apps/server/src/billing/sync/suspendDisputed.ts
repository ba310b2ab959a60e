import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { findProjectOf, suspendProject } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { isDisputed } from "../disputes.ts";
import { findDisputedProjects } from "../queries.ts";

/** Suspends the site of a disputed payment, and tells its owner. Returns the project; undefined if it was deleted. */
export async function suspendDisputed(
  tx: Tx,
  { id: subId, userId }: { id: string; userId: string },
  { id, amount, currency }: { id: string; amount: number; currency: string },
  { isTold = true } = {},
) {
  const project = await findProjectOf(tx, subId);
  if (!project) return undefined;
  await suspend(tx, project);
  const params = { projectId: project.id, name: project.name, amount, currency };
  if (isTold) await mailCustomer(tx, userId, "disputed", params, `dispute ${id}`);
  return project;
}

/** Suspends the sites that became active while a payment for them is disputed: new ones, and ones that were held. */
export async function suspendAllDisputed({ db }: Billing) {
  for (const { subId, userId } of await findDisputedProjects(db))
    await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      const project = (await isDisputed(tx, subId)) ? await findProjectOf(tx, subId) : undefined;
      if (!project) return;
      await suspend(tx, project);
      await announceChange(tx, userId);
    });
}

async function suspend(tx: Tx, { id, userId }: { id: string; userId: string }) {
  const project = await suspendProject(tx, id);
  if (!project) return;
  const params = { project: project.name, why: "dispute" } as const;
  await record(tx, userId, platform, { kind: "projectSuspended", params, projectId: id });
}
