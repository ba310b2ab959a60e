import { existsSync, globSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { findCredentials } from "../account/queries.ts";
import { connect } from "../db/connect.ts";
import { createDatabase } from "../testing/database.ts";
import { ended, patience, settings, start } from "../testing/product.ts";
import { orderWordPress } from "../testing/seed.ts";
import { ask } from "../testing/sites.ts";
import { siteFolder } from "./siteFolder.ts";

/** How often each point is hit; more in `npm run test:long`. */
const rounds = Number(process.env["NIDO_TEST_ROUNDS"] ?? 1);

/** Stops whoever writes that a stage is reached, before it is true for others. */
const trap = `
  create table trap (stage text);
  create function fall_into_trap() returns trigger as $$
  begin
    if new.progress -> -1 ->> 'message' in (select stage from trap) then perform pg_advisory_xact_lock(7); end if;
    return new;
  end $$ language plpgsql;
  create trigger trap before update on tasks for each row execute function fall_into_trap();`;
const trapped = "select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";

const stages = ["initializing_database", "initializing_wordpress", "installing_wordpress", "wordpress_ready", "done"];

test("killed at any point of its making, a WordPress is made once, and nothing is left over", {
  timeout: 600_000,
}, async () => {
  const { env, port, dataDir } = await settings();
  const databaseUrl = await createDatabase();
  const all = { ...env, DATABASE_URL: databaseUrl, LOG_LEVEL: "error" };
  const db = connect(databaseUrl);
  onTestFinished(() => db.$client.end());
  const query = async (sql: string) => (await db.$client.query(sql)).rows;
  await query(trap);
  let nido = await start({ env: all });
  const userId = (await findCredentials(db, "demo@nido.example"))?.id as string;
  const holder = await db.$client.connect();
  onTestFinished(() => holder.release(true));

  const order = async (name: string) => {
    const wish = await orderWordPress(db, userId, name);
    return { ...wish, name, folder: siteFolder(dataDir, wish.projectId) };
  };
  type Order = Awaited<ReturnType<typeof order>>;
  const until = (isReached: () => boolean) =>
    vi.waitFor(() => expect(isReached()).toBe(true), { ...patience, interval: 2 });
  const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  const kill = async () => {
    nido.child.kill("SIGKILL");
    await ended(nido.child);
  };

  const inside = stages.map((stage) => ({
    point: `while ${stage} is being written`,
    reach: async () => void (await vi.waitFor(async () => expect(await query(trapped)).not.toEqual([]), patience)),
    before: async () => {
      await holder.query("select pg_advisory_lock(7)");
      await query(`insert into trap values ('${stage}')`);
    },
    after: async () => {
      await query(`select pg_terminate_backend(pid) from (${trapped})`);
      await query("delete from trap");
      await holder.query("select pg_advisory_unlock(7)");
    },
  }));
  const nothing = async () => undefined;
  const between = [
    { point: "with a database", reach: ({ folder }: Order) => until(() => existsSync(folder.database)) },
    {
      point: "with half its files",
      reach: ({ folder }: Order) => until(() => existsSync(join(folder.content, "uploads"))),
    },
    { point: "with its settings written", reach: ({ folder }: Order) => until(() => existsSync(folder.settings)) },
    {
      point: "handed over, but not marked as installed",
      reach: ({ folder }: Order) => until(() => existsSync(join(folder.state, "timetable"))),
    },
    {
      point: "installed, but not looked at",
      reach: ({ folder }: Order) => until(() => existsSync(folder.mark)),
    },
  ].map((point) => ({ ...point, before: nothing, after: nothing }));

  const made: Order[] = [];
  const others = () => readdirSync(join(dataDir, "sites")).filter((id) => !made.some((site) => site.projectId === id));
  const preparing = {
    point: "while what all sites begin with is prepared",
    before: async () => {
      for (const file of globSync(join(dataDir, "wordpress/*/platform-*"))) rmSync(file);
    },
    reach: () =>
      until(() => others().some((id) => sizeOf(join(siteFolder(dataDir, id).database, "wordpress.sqlite")) > 100_000)),
    after: nothing,
  };
  for (let round = 0; round < rounds; round++) {
    for (const { point, before, reach, after } of [preparing, ...inside, ...between]) {
      await before();
      const site = await order(`site${made.length}x${round}`);
      made.push(site);
      await reach(site);
      await kill();
      await after();
      nido = await start({ env: all });
      await vi.waitFor(async () => {
        const [task] = (await query(`select state, progress from tasks where id = '${site.taskId}'`)) as Task[];
        expect([point, task?.state, task?.progress.map(({ message }) => message)]).toEqual([
          point,
          "completed",
          stages,
        ]);
      }, patience);
      for (const path of ["/", "/wp-login.php"]) {
        const answer = await ask(`127.0.0.1:${port}`, `${site.name}.localhost:${port}`, path);
        expect([point, path, answer.status]).toEqual([point, path, 200]);
      }
    }
  }
  expect(await query("select status, count(*)::int from projects group by 1")).toEqual([
    { status: "active", count: made.length },
  ]);
  expect(await query("select key from graphile_worker._private_jobs where attempts < max_attempts")).toEqual([]);
  expect(readdirSync(join(dataDir, "sites")).sort()).toEqual(made.map(({ projectId }) => projectId).sort());
  expect(readdirSync(join(dataDir, "run"))).toHaveLength(1);
});
