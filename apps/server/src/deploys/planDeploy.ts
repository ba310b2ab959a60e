import { categoryOf, type DeployPlan, type newDeploySchema, resourcesOf, type SiteFile } from "@nido/contract";
import type { z } from "zod";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import type { StoredFile } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { checkFiles, sizeOf } from "./checkFiles.ts";
import type { Releases } from "./Deploys.ts";
import { countUnfinished, findByKey, findKnown, findOwnStatic, findShownFiles, insertDeploy } from "./queries.ts";
import { remember } from "./upload/ExpectedFiles.ts";

const mostUnfinished = 50;

/** Says what publishing these files would change and which bytes are missing; unless it is a trial, it begins. */
export async function planDeploy(
  releases: Releases,
  userId: string,
  projectName: string,
  wish: z.output<typeof newDeploySchema>,
): Promise<DeployPlan> {
  const files = wish.files.toSorted((a, b) => (a.path < b.path ? -1 : 1));
  const plan = await releases.db.transaction(async (tx): Promise<DeployPlan> => {
    await lockUser(tx, userId);
    const project = await findOwnStatic(tx, userId, projectName);
    if (!project) throw new AppError("error_project_not_found");
    if (categoryOf(project.recipe) !== "static") throw new AppError("error_project_not_static");
    if (project.status !== "active") throw new AppError("error_project_suspended");
    checkFiles(files, resourcesOf(project.recipe).disk);

    const shown = await findShownFiles(tx, project.id, wish.branch);
    const missing = await findMissing(tx, userId, files, shown);
    const changes = compare(shown, files);
    if (wish.dry_run) return { ...changes, missing: missing.map(({ sha256 }) => sha256) };
    const id = await begin(tx, project.id, wish, files, sizeOf(missing));
    await announceChange(tx, userId);
    return { id, ...changes, missing: missing.map(({ sha256 }) => sha256) };
  });
  if (plan.id) remember(releases, userId, plan.id, files);
  return plan;
}

async function begin(
  tx: Tx,
  projectId: string,
  { key, branch, message }: z.output<typeof newDeploySchema>,
  files: SiteFile[],
  missing: number,
): Promise<string> {
  const stored = files.map(({ path, sha256, size }): StoredFile => [path, sha256, size]);
  const [fileCount, size] = [files.length, sizeOf(files)];
  const id = await insertDeploy(tx, { projectId, key, branch, message, files: stored, fileCount, size, missing });
  if (!id) return findBegun(tx, projectId, key, stored);
  if ((await countUnfinished(tx, projectId)) > mostUnfinished) throw new AppError("error_deploys_limit");
  return id;
}

/** The same question, asked again. */
async function findBegun(tx: Tx, projectId: string, key: string, stored: StoredFile[]): Promise<string> {
  const begun = await findByKey(tx, projectId, key);
  if (JSON.stringify(begun?.files) !== JSON.stringify(stored)) throw new AppError("error_invalid_input");
  return begun?.id as string;
}

/** What is shown is there; only the rest, often little, is asked for. */
async function findMissing(tx: Tx, userId: string, files: SiteFile[], shown: StoredFile[]): Promise<SiteFile[]> {
  const byDigest = new Map(files.map((file) => [file.sha256, file]));
  const known = new Map(shown.map(([, sha256, size]) => [sha256, size]));
  const others = [...byDigest.keys()].filter((sha256) => !known.has(sha256));
  for (const [sha256, size] of await findKnown(tx, userId, others)) known.set(sha256, size);
  // What is said of bytes that need not be sent is checked too: nobody counts them again.
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
