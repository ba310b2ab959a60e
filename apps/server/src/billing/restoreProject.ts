import { categoryOf } from "@nido/contract";
import { findDeletion } from "../activity/queries.ts";
import { customer, record } from "../activity/record.ts";
import type { Db, Tx } from "../db/connect.ts";
import { type RemovedDomain, restoreDomains } from "../domains/restoreDomains.ts";
import { dequeue, enqueue } from "../jobs/enqueue.ts";
import {
  beginRestoring,
  findOwnArchived,
  setProjectStatus,
  setPurchase,
  unarchiveProject,
} from "../projects/queries.ts";
import { updateTask } from "../tasks/queries.ts";
import { archiveSiteJob, unarchiveSiteJob } from "../wordpress/jobs.ts";
import { provisionAgain } from "../wordpress/lifecycle/retryProvisioning.ts";
import { findTaskOfSite, setTaskOfSite } from "../wordpress/queries.ts";
import { requestPlan } from "../wordpress/requestPlan.ts";
import { requestUpdate } from "./cancelSubscription.ts";
import type { CheckoutRow } from "./checkout/queries.ts";
import { findResumable, updateSubscription } from "./queries.ts";

type Project = NonNullable<Awaited<ReturnType<typeof findOwnArchived>>>;

/** What is kept in the activity log about a deleted project. */
export interface Deletion {
  domains: RemovedDomain[];
  /** The subscription was going to be renewed. */
  renews: boolean;
}

/** Takes back a deleted project whose paid period still runs; false if it needs a new payment. */
export async function resumeDeleted(tx: Tx, project: Project): Promise<boolean> {
  const subscription = await findResumable(tx, project.subId);
  if (!subscription) return false;
  const { renews } = await deletionOf(tx, project.id);
  await updateSubscription(tx, subscription.id, { cancelledAt: null, cancelAtPeriodEnd: !renews });
  await requestUpdate(tx, subscription.id, renews ? "never" : "withPeriod");
  await restoreProject(tx, project);
  return true;
}

/** The deleted project that a purchase brings back: the buyer's own, of the same name and category, that is not paid for. */
export async function findRestorable(
  tx: Tx,
  { userId, name, recipe }: Pick<CheckoutRow, "userId" | "name" | "recipe">,
) {
  const archived = await findOwnArchived(tx, userId, { name });
  if (!archived || categoryOf(archived.recipe) !== categoryOf(recipe)) return undefined;
  return (await isBuyable(tx, archived)) ? archived : undefined;
}

/** Whether a new plan is needed to bring the project back. One that an operator suspended cannot be bought back. */
export async function isBuyable(db: Db | Tx, { subId, heldAt }: Project): Promise<boolean> {
  return heldAt === null && !(await findResumable(db, subId));
}

/** A new subscription pays for a deleted project from now on. */
export async function restorePurchased(tx: Tx, project: Project, checkout: CheckoutRow, subId: string) {
  const { userId, name, recipe, recipeId, taskId } = checkout;
  await setPurchase(tx, project.id, { subId, recipe, recipeId });
  // Its site may not be archived yet.
  if (recipe !== project.recipe) await requestPlan(tx, project.id);
  if (taskId) await setTaskOfSite(tx, project.id, taskId);
  await restoreProject(tx, project);
  const undoes = (await findDeletion(tx, project.id))?.id;
  const entry = { kind: "projectRestored", params: { project: name }, projectId: project.id } as const;
  await record(tx, userId, customer, { ...entry, ...(undoes && { undoes }) });
}

/** Gives a project back to its customer. A job restores its WordPress from the archive. */
async function restoreProject(tx: Tx, { id, userId, name, recipe }: Project) {
  await restoreDomains(tx, userId, id, (await deletionOf(tx, id)).domains);
  if (categoryOf(recipe) === "static") return unarchiveProject(tx, id);
  await dequeue(tx, archiveSiteJob, id);
  await beginRestoring(tx, id);
  const taskId = await findTaskOfSite(tx, id);
  if (taskId) {
    await updateTask(tx, taskId, { state: "running", progress: [] });
    return enqueue(tx, unarchiveSiteJob, { projectId: id });
  }
  // It was deleted before its WordPress was installed.
  await setProjectStatus(tx, id, "failed");
  await provisionAgain(tx, name);
}

async function deletionOf(tx: Tx, projectId: string): Promise<Deletion> {
  return ((await findDeletion(tx, projectId))?.undo as Deletion | undefined) ?? { domains: [], renews: true };
}
