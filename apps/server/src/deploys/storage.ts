import { categoryOf, filesPerDeploy, type Recipe, resourcesOf } from "@nido/contract";
import { and, eq, gt, isNull, not, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../db/connect.ts";
import { deploys, projects, users } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";

/**
 * All deploys of a customer, shown or kept for rolling back, may occupy this many times the disk space of the
 * customer's plans. That is enough for many deploys, because most of them share most of their files.
 */
const bytesPerPlan = 5;
/** The limit of entries in the file lists of all deploys, for each project. An entry takes about 100 bytes. */
const filesPerProject = 20 * filesPerDeploy;
const deploysPerDay = 200;

export interface Storage {
  /** in bytes */
  used: number;
  allowed: number;
}

/** Throws unless this project may have another deploy today and the storage has room for it. Returns the new use. */
export async function requireStorage(
  tx: Tx,
  userId: string,
  projectId: string,
  added: { key: string; bytes: number; files: number },
): Promise<Storage> {
  // A retried request has begun its deploy already, which must not count twice.
  const isSame = sql`(${deploys.projectId} = ${projectId} and ${deploys.key} = ${added.key})`;
  const isRecent = gt(deploys.createdAt, sql`now() - interval '1 day'`);
  if ((await tx.$count(deploys, and(eq(deploys.projectId, projectId), isRecent, not(isSame)))) >= deploysPerDay)
    throw new AppError("error_deploys_daily");
  const { used, allowed, files, allowedFiles } = await findStorage(tx, userId, not(isSame));
  if (used + added.bytes > allowed)
    throw new AppError("error_storage_full", { detail: sizesInMegabytes(used + added.bytes, allowed) });
  if (files + added.files > allowedFiles)
    throw new AppError("error_storage_full", { detail: `${files + added.files} / ${allowedFiles}` });
  return { used: used + added.bytes, allowed };
}

/** Rounded up, so that what is one byte too large is not shown as fitting. */
export function sizesInMegabytes(...sizes: number[]): string {
  return sizes.map((bytes) => `${Math.ceil(bytes / 1e6)} MB`).join(" / ");
}

/** What the deploys of a customer with these projects may occupy. */
export function allowedBytes(projectRecipes: Recipe[]): number {
  const sites = projectRecipes.filter((recipe) => categoryOf(recipe) === "static");
  return sites.reduce((sum, recipe) => sum + bytesPerPlan * resourcesOf(recipe).disk, 0);
}

/** With `countsDeleted`, what deleted projects may occupy counts, too: they may be taken back. */
export async function findStorage(tx: Tx, userId: string, isCounted?: SQL, { countsDeleted = false } = {}) {
  const isOwn = and(eq(projects.userId, userId), countsDeleted ? undefined : isNull(projects.archivedAt));
  const own = await tx.select({ recipe: projects.recipe }).from(projects).where(isOwn);
  const sites = own.filter(({ recipe }) => categoryOf(recipe) === "static");
  const [user] = await tx.select({ used: users.storedBytes }).from(users).where(eq(users.id, userId));
  const unsent = sql`coalesce(sum(${deploys.missing}) filter (where ${deploys.finishedAt} is null), 0)`;
  const [listed] = await tx
    .select({
      files: sql<number>`coalesce(sum(${deploys.fileCount}), 0)::float8`,
      // What unfinished deploys may send. `received` is not subtracted: a repeated upload raises it, too.
      unsent: sql<number>`${unsent}::float8`,
    })
    .from(deploys)
    .innerJoin(projects, eq(projects.id, deploys.projectId))
    .where(and(eq(projects.userId, userId), isCounted));
  return {
    used: (user?.used ?? 0) + (listed?.unsent ?? 0),
    allowed: allowedBytes(sites.map(({ recipe }) => recipe)),
    files: listed?.files ?? 0,
    allowedFiles: sites.length * filesPerProject,
  };
}
