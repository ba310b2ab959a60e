import type { ActivityKind, ActivityParams, Actor } from "@nido/contract";
import { sql } from "drizzle-orm";
import type { Db, Tx } from "../db/connect.ts";
import { activity } from "../db/schema.ts";

/** What happened. */
export type Activity = { [Kind in ActivityKind]: ActivityOf<Kind> }[ActivityKind];

interface ActivityOf<Kind extends ActivityKind> {
  kind: Kind;
  params: ActivityParams[Kind];
  projectId?: string | undefined;
  /** what is needed to undo it */
  undo?: object;
  /** the entry that it undoes */
  undoes?: number;
  /** makes it unique, if its cause may be processed twice */
  key?: string;
}

export const platform: Actor = { kind: "platform", name: "", place: "" };
/** The customer, where it is not known from which browser. */
export const customer: Actor = { kind: "session", name: "", place: "" };
export const operator: Actor = { kind: "operator", name: "", place: "" };

/** Entries older than this are deleted, and those beyond the newest of each kind: nobody can push out other kinds. */
const keptDays = 400;
const keptOfKind = 2000;

/**
 * Adds an entry to the customer's activity log. The transaction announces the change of the customer's state. False if
 * there is an entry with this key.
 */
export async function record(
  tx: Tx,
  userId: string,
  actor: Actor,
  { kind, params, ...rest }: Activity,
): Promise<boolean> {
  const rows = await tx
    .insert(activity)
    .values({ userId, actor, kind, params, ...rest })
    .onConflictDoNothing()
    .returning({ id: activity.id });
  return rows.length > 0;
}

export async function removeOldActivity(db: Db) {
  await db.execute(sql`delete from ${activity} where created_at < now() - make_interval(days => ${keptDays})`);
  await db.execute(sql`delete from ${activity} using (
      select user_id, kind, (array_agg(id order by id desc))[${keptOfKind}] as oldest from ${activity}
      group by user_id, kind having count(*) > ${keptOfKind}) kept
    where ${activity}.user_id = kept.user_id and ${activity}.kind = kept.kind and ${activity}.id < kept.oldest`);
}
