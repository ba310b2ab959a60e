import type { TrafficPoint, TrafficRange } from "@nido/contract";
import { and, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { projects, traffic } from "../db/schema.ts";

export interface Counts {
  requests: number;
  bots: number;
  views: number;
  visits: number;
  bytes: number;
  phpMs: number;
}

const rowsPerStatement = 500;

/** Adds what was counted since the last time to the current hour. Sites that no longer exist are left out. */
export async function addTraffic(db: Db, counted: Map<string, Counts>) {
  const rows = [...counted]
    .map(([project, counts]) => ({ project, ...counts, phpMs: Math.round(counts.phpMs) }))
    // In the order of the keys, so that concurrent processes do not deadlock.
    .sort((a, b) => (a.project < b.project ? -1 : 1));
  await db.transaction(async (tx) => {
    for (let start = 0; start < rows.length; start += rowsPerStatement) {
      const part = JSON.stringify(rows.slice(start, start + rowsPerStatement));
      await tx.execute(sql`insert into ${traffic} (project_id, at, requests, bots, views, visits, bytes, php_ms)
        select new.project, date_trunc('hour', now(), 'UTC'), new.requests, new.bots, new.views, new.visits, new.bytes, new."phpMs"
        from json_to_recordset(${part}::json) as new (project uuid, requests bigint, bots bigint, views bigint, visits bigint, bytes bigint, "phpMs" bigint)
        join ${projects} on ${projects.id} = new.project
        order by new.project
        on conflict (project_id, at) do update set requests = traffic.requests + excluded.requests,
          bots = traffic.bots + excluded.bots, views = traffic.views + excluded.views, visits = traffic.visits + excluded.visits,
          bytes = traffic.bytes + excluded.bytes, php_ms = traffic.php_ms + excluded.php_ms`);
    }
  });
}

/** How far back a chart goes, and the length of its steps. */
const ranges: Record<TrafficRange, { step: string; span: string }> = {
  day: { step: "hour", span: "23 hours" },
  month: { step: "day", span: "29 days" },
  year: { step: "month", span: "11 months" },
};

/** A customer's project's traffic, with a point for each step, empty ones included; undefined if it is not theirs. */
export async function findTraffic(
  db: Db,
  userId: string,
  projectId: string,
  range: TrafficRange,
): Promise<TrafficPoint[] | undefined> {
  const isOwn = and(eq(sql`${projects.id}::text`, projectId), eq(projects.userId, userId));
  const [project] = await db.select({ id: projects.id }).from(projects).where(isOwn);
  if (!project) return undefined;
  const { step, span } = ranges[range];
  const { rows } = await db.execute<Omit<TrafficPoint, "at"> & { at: Date }>(sql`
    select step at time zone 'UTC' as at, coalesce(sum(requests), 0)::float8 as requests, coalesce(sum(bots), 0)::float8 as bots,
      coalesce(sum(views), 0)::float8 as views, coalesce(sum(visits), 0)::float8 as visits,
      coalesce(sum(bytes), 0)::float8 as bytes, coalesce(sum(php_ms), 0)::float8 as php_ms
    from (select date_trunc(${step}, now() at time zone 'UTC') as last) now,
      generate_series(last - ${span}::interval, last, ('1 ' || ${step})::interval) as step
    left join ${traffic} on project_id = ${project.id} and date_trunc(${step}, ${traffic.at} at time zone 'UTC') = step
      and ${traffic.at} >= now() - ${span}::interval - ('1 ' || ${step})::interval
    group by step order by step`);
  return rows.map(({ at, ...counts }) => ({ at: new Date(at).toISOString(), ...counts }));
}

/** Hours older than the longest chart by days become days; what is older than a year is removed. */
export async function condenseTraffic(db: Db) {
  await db.execute(sql`with old as (
      delete from ${traffic} where at < now() - interval '32 days' and at <> date_trunc('day', at, 'UTC') returning *)
    insert into ${traffic} (project_id, at, requests, bots, views, visits, bytes, php_ms)
    select project_id, date_trunc('day', at, 'UTC') as day, sum(requests), sum(bots), sum(views), sum(visits), sum(bytes), sum(php_ms)
    from old group by project_id, day
    on conflict (project_id, at) do update set requests = traffic.requests + excluded.requests,
      bots = traffic.bots + excluded.bots, views = traffic.views + excluded.views, visits = traffic.visits + excluded.visits,
      bytes = traffic.bytes + excluded.bytes, php_ms = traffic.php_ms + excluded.php_ms`);
  await db.delete(traffic).where(lt(traffic.at, sql`now() - interval '400 days'`));
}
