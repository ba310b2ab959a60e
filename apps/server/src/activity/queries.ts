import { and, desc, eq, inArray, isNotNull, lt } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../db/connect.ts";
import { activity } from "../db/schema.ts";

export type ActivityRow = Awaited<ReturnType<typeof findPage>>[number];

interface Page {
  /** only of this project */
  project?: string | undefined;
  /** only entries older than this one */
  before?: number | undefined;
  limit: number;
}

const undoing = alias(activity, "undoing");
const shown = {
  id: activity.id,
  projectId: activity.projectId,
  kind: activity.kind,
  params: activity.params,
  actor: activity.actor,
  undo: activity.undo,
  createdAt: activity.createdAt,
  isUndone: isNotNull(undoing.id).mapWith(Boolean),
};

const entries = (db: Db | Tx) => db.select(shown).from(activity).leftJoin(undoing, eq(undoing.undoes, activity.id));

/** The customer's entries, the newest first. */
export function findPage(db: Db | Tx, userId: string, { project, before, limit }: Page) {
  const isShown = and(
    eq(activity.userId, userId),
    project === undefined ? undefined : eq(activity.projectId, project),
    before === undefined ? undefined : lt(activity.id, before),
  );
  return entries(db).where(isShown).orderBy(desc(activity.id)).limit(limit);
}

export async function findOwnEntry(tx: Tx, userId: string, id: number): Promise<ActivityRow | undefined> {
  const [row] = await entries(tx).where(and(eq(activity.userId, userId), eq(activity.id, id)));
  return row;
}

/** The last deletion of a project. */
export async function findDeletion(tx: Tx, projectId: string) {
  const [row] = await tx
    .select({ id: activity.id, undo: activity.undo })
    .from(activity)
    .where(and(eq(activity.projectId, projectId), inArray(activity.kind, ["projectDeleted", "projectEnded"])))
    .orderBy(desc(activity.id))
    .limit(1);
  return row;
}
