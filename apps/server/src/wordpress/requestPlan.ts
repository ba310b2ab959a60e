import { and, eq, or } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { projects, wordpressSites } from "../db/schema.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { applyPlanJob } from "./jobs.ts";

/** Tells the site and the staging copy of another plan. Only those on Kubernetes do not notice it by themselves. */
export async function requestPlan(tx: Db | Tx, projectId: string) {
  const sites = await tx
    .select({ projectId: projects.id })
    .from(projects)
    .innerJoin(wordpressSites, eq(wordpressSites.projectId, projects.id))
    .where(
      and(or(eq(projects.id, projectId), eq(projects.stagingOf, projectId)), eq(wordpressSites.runtime, "kubernetes")),
    );
  for (const site of sites) await enqueue(tx, applyPlanJob, site);
}
