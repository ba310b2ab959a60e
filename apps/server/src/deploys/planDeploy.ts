import { categoryOf, type DeployPlan, type newDeploySchema, resourcesOf, type SiteFile } from "@nido/contract";
import type { z } from "zod";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import type { StoredFile } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProjectByName } from "../projects/queries.ts";
import { findBlobSizes } from "./blobs/queries.ts";
import { checkFiles, sizeOf } from "./checkFiles.ts";
import type { Deploys } from "./Deploys.ts";
import { countUnfinished, findByKey, findShownFiles, insertDeploy } from "./queries.ts";

const maxUnfinished = 50;

type NewDeploy = z.output<typeof newDeploySchema>;

/** Compares the files with the branch's current deploy and returns what is missing. Begins the deploy unless it is a dry run. */
export async function planDeploy(
  deploys: Deploys,
  userId: string,
  projectName: string,
  input: NewDeploy,
): Promise<DeployPlan> {
  const files = input.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const plan = await deploys.db.transaction(async (tx): Promise<DeployPlan> => {
    await lockUser(tx, userId);
    const project = await findOwnProjectByName(tx, userId, projectName);
    if (!project) throw new AppError("error_project_not_found");
    if (categoryOf(project.recipe) !== "static") throw new AppError("error_project_not_static");
    if (project.status !== "active") throw new AppError("error_project_suspended");
    checkFiles(files, resourcesOf(project.recipe).disk);

    const shown = await findShownFiles(tx, project.id, input.branch);
    const missing = await findMissing(tx, userId, files, shown);
    const changes = compare(shown, files);
    if (input.dry_run) return { ...changes, missing: missing.map(({ sha256 }) => sha256) };
    const id = await begin(tx, project.id, input, files, sizeOf(missing));
    await announceChange(tx, userId);
    return { id, ...changes, missing: missing.map(({ sha256 }) => sha256) };
  });
  if (plan.id) deploys.expectedFiles.add(userId, plan.id, files);
  return plan;
}

async function begin(
  tx: Tx,
  projectId: string,
  { key, branch, message }: NewDeploy,
  files: SiteFile[],
  missing: number,
): Promise<string> {
  const stored = files.map(({ path, sha256, size }): StoredFile => [path, sha256, size]);
  const [fileCount, size] = [files.length, sizeOf(files)];
  const id = await insertDeploy(tx, { projectId, key, branch, message, files: stored, fileCount, size, missing });
  if (!id) return findByRetry(tx, projectId, key, stored);
  if ((await countUnfinished(tx, projectId)) > maxUnfinished) throw new AppError("error_deploys_limit");
  return id;
}

/** The deploy that an earlier request with the same key began: the CLI retries. */
async function findByRetry(tx: Tx, projectId: string, key: string, stored: StoredFile[]): Promise<string> {
  const begun = await findByKey(tx, projectId, key);
  if (JSON.stringify(begun?.files) !== JSON.stringify(stored)) throw new AppError("error_invalid_input");
  return begun?.id as string;
}

/** The files whose bytes are not stored yet. Those of the current deploy are, so only the others are looked up. */
async function findMissing(tx: Tx, userId: string, files: SiteFile[], shown: StoredFile[]): Promise<SiteFile[]> {
  const byDigest = new Map(files.map((file) => [file.sha256, file]));
  const known = new Map(shown.map(([, sha256, size]) => [sha256, size]));
  const others = [...byDigest.keys()].filter((sha256) => !known.has(sha256));
  for (const [sha256, size] of await findBlobSizes(tx, userId, others)) known.set(sha256, size);
  // The announced size of a stored blob is checked here, because its bytes are not sent again.
  for (const { path, sha256, size } of byDigest.values())
    if ((known.get(sha256) ?? size) !== size) throw new AppError("error_digest_mismatch", { detail: path });
  return [...byDigest.values()].filter(({ sha256 }) => !known.has(sha256));
}

function compare(shown: StoredFile[], files: SiteFile[]) {
  const before = new Map(shown.map(([path, sha256]) => [path, sha256]));
  const after = new Set(files.map(({ path }) => path));
  return {
    added: files.filter(({ path }) => !before.has(path)).map(({ path }) => path),
    changed: files
      .filter(({ path, sha256 }) => before.has(path) && before.get(path) !== sha256)
      .map(({ path }) => path),
    removed: [...before.keys()].filter((path) => !after.has(path)),
  };
}
