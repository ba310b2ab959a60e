import { categoryOf, hasStaging, type PlanOffer, resourcesOf } from "@nido/contract";
import type { Tx } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findOwnProject } from "../../projects/queries.ts";
import { findStaging } from "../../wordpress/queries.ts";
import { findSubscription } from "../queries.ts";

/** A customer's project with its subscription. */
export async function requireOwnPlan(tx: Tx, userId: string, projectId: string) {
  const project = await findOwnProject(tx, userId, projectId);
  const subscription = project && (await findSubscription(tx, project.subId));
  if (!subscription || subscription.endedAt || subscription.cancelledAt) throw new AppError("error_project_not_found");
  return { project, subscription };
}

/** The customer's subscription, if its project can have this plan. */
export async function requireChangeable(tx: Tx, userId: string, projectId: string, { plan, product }: PlanOffer) {
  const { project, subscription } = await requireOwnPlan(tx, userId, projectId);
  if (subscription.pastDueSince) throw new AppError("error_renewal_owed");
  if (subscription.cancelAtPeriodEnd) throw new AppError("error_plan_change_ending");
  if (project.status !== "active") throw new AppError("error_plan_inactive");
  const { recipe, recipe_category: category } = product.metadata;
  if (category !== categoryOf(project.recipe) || plan.currency !== subscription.currency)
    throw new AppError("error_plan_not_found");
  const { disk } = resourcesOf(recipe);
  if (project.diskUsed > disk)
    throw new AppError("error_plan_too_small", { detail: `${project.diskUsed} / ${disk} bytes` });
  if (!hasStaging(recipe) && (await findStaging(tx, project.id))) throw new AppError("error_plan_staging");
  return subscription;
}
