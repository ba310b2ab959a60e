import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { domains, pictures, projects } from "../db/schema.ts";

export async function findPicturable(db: Db, projectId: string) {
  const [row] = await db
    .select({ name: projects.name, userId: projects.userId })
    .from(projects)
    .where(and(eq(projects.id, projectId), eq(projects.status, "active"), sql`archived_at is null`));
  if (!row) return undefined;
  const isServed = and(eq(domains.projectId, projectId), eq(domains.status, "verified"));
  const added = await db.select({ domain: domains.domain }).from(domains).where(isServed);
  return { ...row, domains: added.map(({ domain }) => domain) };
}

export async function storePicture(db: Db, projectId: string, image: Buffer) {
  const takenAt = sql`now()`;
  await db
    .insert(pictures)
    .values({ projectId, image, takenAt })
    .onConflictDoUpdate({ target: pictures.projectId, set: { image, takenAt } });
}

export async function findOwnPicture(db: Db, userId: string, projectId: string): Promise<Buffer | undefined> {
  const [row] = await db
    .select({ image: pictures.image })
    .from(pictures)
    .innerJoin(projects, eq(projects.id, pictures.projectId))
    .where(and(eq(sql`${projects.id}::text`, projectId), eq(projects.userId, userId)));
  return row?.image;
}

/** Sites that had visitors since their last picture, or have none. At random: those that never succeed must not be first. */
export async function findOutdated(db: Db, limit: number): Promise<string[]> {
  const { rows } = await db.execute<{ id: string }>(sql`
    select p.id from ${projects} p left join ${pictures} picture on picture.project_id = p.id
    where p.status = 'active' and p.archived_at is null and p.staging_of is null and (picture.project_id is null or (
      picture.taken_at < now() - interval '20 hours'
      and exists (select from traffic t where t.project_id = p.id and t.at > picture.taken_at and t.views > 0)))
    order by random() limit ${limit}`);
  return rows.map(({ id }) => id);
}
