import { categoryOf, resourcesOf } from "@nido/contract";
import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Db, Tx } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findOwnProjectByName } from "../../projects/queries.ts";
import type { Deploys } from "../Deploys.ts";
import { countUnfinished, insertDeploy } from "../queries.ts";
import { requireStorage, type Storage, sizesInMegabytes } from "../storage.ts";
import { FileSizes } from "../upload/FileSizes.ts";
import type { ParsedPlan } from "./parsePlan.ts";
import { comparePlan, findSameDeploy } from "./queries.ts";

const maxUnfinished = 50;

/** The project that a deploy is for. Also called before the body is read, because its list of files may be long. */
export async function requireStaticProject(db: Db | Tx, userId: string, name: string) {
  const project = await findOwnProjectByName(db, userId, name);
  if (!project) throw new AppError("error_project_not_found");
  if (categoryOf(project.recipe) !== "static") throw new AppError("error_project_not_static");
  if (project.status !== "active") throw new AppError("error_project_suspended");
  return project;
}

/**
 * Compares the files with the branch's current deploy, and begins the deploy unless it is a dry run. Returns a
 * `DeployPlan` as JSON: its lists come from the database as text, because they may have 100,000 entries.
 */
export async function planDeploy(
  { db, expectedFiles }: Deploys,
  userId: string,
  projectName: string,
  plan: ParsedPlan,
): Promise<string> {
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const project = await requireStaticProject(tx, userId, projectName);
    const { disk } = resourcesOf(project.recipe);
    if (plan.size > disk) throw new AppError("error_disk_full", { detail: sizesInMegabytes(plan.size, disk) });
    const { added, changed, removed, counts, missing, missingBytes, mismatch } = await comparePlan(
      tx,
      userId,
      project.id,
      plan,
    );
    // The announced size of a stored blob is checked here, because its bytes are not sent again.
    if (mismatch !== null) throw new AppError("error_digest_mismatch", { detail: mismatch });
    const lists = `"added":${added},"changed":${changed},"removed":${removed},"missing":${missing}`;
    if (plan.dry_run) return `{${lists}}`;
    const storage = await requireStorage(tx, userId, project.id, {
      key: plan.key,
      bytes: missingBytes,
      files: plan.fileCount,
    });
    const id = await begin(tx, project.id, plan, { missing: missingBytes, ...counts });
    await announceChange(tx, userId);
    expectedFiles.add(userId, id, new FileSizes(Buffer.from(plan.sizes)));
    return `{"id":"${id}",${lists},"storage":${JSON.stringify(storage satisfies Storage)}}`;
  });
}

type Compared = Record<"missing" | "added" | "changed" | "removed", number>;

async function begin(tx: Tx, projectId: string, plan: ParsedPlan, compared: Compared): Promise<string> {
  const { key, branch, message, files, fileCount, size } = plan;
  const id = await insertDeploy(tx, { projectId, key, branch, message, files, fileCount, size, ...compared });
  if (id) {
    if ((await countUnfinished(tx, projectId)) > maxUnfinished) throw new AppError("error_deploys_limit");
    return id;
  }
  // The CLI repeated its request: an earlier one with the same key has begun this deploy.
  const begun = await findSameDeploy(tx, projectId, key, files);
  if (!begun) throw new AppError("error_invalid_input");
  return begun;
}
