import type { ActionPayloads } from "@nido/contract";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";
import { requestUpdate } from "./cancelSubscription.ts";
import { isDisputed } from "./disputes.ts";
import { findSubscription, updateSubscription } from "./queries.ts";

/** Ends a subscription with its paid period, or lets it be renewed again. A job tells the provider. */
export async function setRenewal(
  tx: Tx,
  userId: string,
  { project_id, renews }: ActionPayloads["SET_RENEWAL"],
): Promise<Activity | undefined> {
  const project = await findOwnProject(tx, userId, project_id);
  const subscription = project && (await findSubscription(tx, project.subId));
  if (!subscription || subscription.endedAt || subscription.cancelledAt) throw new AppError("error_project_not_found");
  if (subscription.pastDueSince) throw new AppError("error_renewal_owed");
  if (renews && (await isDisputed(tx, subscription.id))) throw new AppError("error_renewal_disputed");
  if (subscription.cancelAtPeriodEnd === !renews) return undefined;
  await updateSubscription(tx, subscription.id, { cancelAtPeriodEnd: !renews });
  await requestUpdate(tx, subscription.id, renews ? "never" : "atPeriodEnd");
  const kind = renews ? "renewalResumed" : "renewalCancelled";
  return { kind, params: { project: project.name }, projectId: project.id };
}
