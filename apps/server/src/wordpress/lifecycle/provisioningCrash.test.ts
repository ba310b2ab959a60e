import { existsSync, globSync, readdirSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import type { Task } from "@nido/contract";
import { createDatabase } from "@nido/test-kit/database";
import { testLong } from "@nido/test-kit/long";
import { ended, settings, start } from "@nido/test-kit/product";
import { orderWordPress } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually, waitUntil } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished } from "vitest";
import { findCredentials, insertUser } from "../../account/queries.ts";
import { connect } from "../../db/connect.ts";
import { siteFolder } from "../siteFolder.ts";

/** How often each crash point is tested; `npm run test:long` sets a higher number. */
const rounds = Number(process.env["NIDO_TEST_ROUNDS"] ?? 1);

/** A trigger that blocks the transaction which records a certain stage of a task, before it commits. */
const trap = `
  create table trap (task uuid, stage text);
  create function fall_into_trap() returns trigger as $$
  begin
    if (new.id, new.progress -> -1 ->> 'message') in (select * from trap) then perform pg_advisory_xact_lock_shared(7); end if;
    return new;
  end $$ language plpgsql;
  create trigger trap before update on tasks for each row execute function fall_into_trap();`;
const trapped = "select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";

const stages = ["initializing_database", "initializing_wordpress", "installing_wordpress", "wordpress_ready", "done"];

testLong(
  "a WordPress whose provisioning is killed at any point is installed once, and nothing is left over",
  {
    timeout: 3_600_000,
  },
  async () => {
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

    const order = async (name: string, owner = userId) => {
      const ordered = await orderWordPress(db, owner, name);
      return { ...ordered, name, folder: siteFolder(dataDir, ordered.projectId) };
    };
    type Order = Awaited<ReturnType<typeof order>>;
    // Polled often, so that the kill follows soon. The condition shows no progress in between, so the stall
    // limit is longer than usual.
    const until = (isReached: () => boolean) =>
      eventually(() => expect(isReached()).toBe(true), { stallMs: 300_000, intervalMs: 2 });
    const sizeOf = (file: string) => statSync(file, { throwIfNoEntry: false })?.size ?? 0;
    /** The sizes of the files of all sites: within a stage, they show that the work goes on. */
    const sizes = () => globSync(join(dataDir, "sites/**")).map(sizeOf).join(" ");
    const kill = async () => {
      nido.child.kill("SIGKILL");
      await ended(nido.child);
    };

    const made: Order[] = [];
    const expectMade = async (point: string, { taskId, name }: Order) => {
      const { state, told } = await waitUntil(
        `the WordPress that was killed ${point} is made`,
        async () => {
          const [task] = (await query(`select state, progress from tasks where id = '${taskId}'`)) as Task[];
          return { state: task?.state, told: task?.progress.map(({ message }) => message), files: sizes() };
        },
        (seen) => seen.state === "completed" || seen.state === "failed",
        { stallMs: 300_000 },
      );
      expect([point, state, told]).toEqual([point, "completed", stages]);
      for (const path of ["/", "/wp-login.php"]) {
        const answer = await ask(`127.0.0.1:${port}`, `${name}.localhost:${port}`, path);
        expect([point, path, answer.status]).toEqual([point, path, 200]);
      }
    };

    /** Blocks one site at each stage, while that stage is being recorded, then kills the server. */
    const killWhileWriting = async (round: number) => {
      await holder.query("select pg_advisory_lock(7)");
      const sites = await Promise.all(
        stages.map(async (stage, index) => {
          // One customer per site, because a blocked transaction holds the lock of its customer.
          const owner = (await insertUser(db, { email: `${stage}${round}@example.com` })) as string;
          const site = await order(`written${index}x${round}`, owner);
          await query(`insert into trap values ('${site.taskId}', '${stage}')`);
          return site;
        }),
      );
      made.push(...sites);
      await waitUntil(
        "a site is held at each stage",
        async () => ({ held: (await query(trapped)).length, files: sizes() }),
        ({ held }) => held === stages.length,
        { stallMs: 300_000 },
      );
      await kill();
      await query(`select pg_terminate_backend(pid) from (${trapped})`);
      await query("delete from trap");
      await holder.query("select pg_advisory_unlock(7)");
      nido = await start({ env: all });
      for (const [index, site] of sites.entries()) await expectMade(`while ${stages[index]} is being recorded`, site);
    };
    const nothing = async () => undefined;
    const between = [
      { point: "with a database", reach: ({ folder }: Order) => until(() => existsSync(folder.database)) },
      {
        point: "with part of its files",
        reach: ({ folder }: Order) => until(() => existsSync(join(folder.content, "uploads"))),
      },
      { point: "with its settings written", reach: ({ folder }: Order) => until(() => existsSync(folder.settings)) },
      {
        point: "handed over, but not marked as installed",
        reach: ({ folder }: Order) => until(() => existsSync(folder.nextCron)),
      },
      {
        point: "installed, but its health not checked",
        reach: ({ folder }: Order) => until(() => existsSync(folder.installedMark)),
      },
    ].map((point) => ({ ...point, before: nothing }));

    const others = () =>
      readdirSync(join(dataDir, "sites")).filter((id) => !made.some((site) => site.projectId === id));
    const preparing = {
      point: "while the prepared database is being made",
      before: async () => {
        for (const file of globSync(join(dataDir, "wordpress/*/platform-*"))) rmSync(file);
      },
      reach: () =>
        until(() =>
          others().some((id) => sizeOf(join(siteFolder(dataDir, id).database, "wordpress.sqlite")) > 100_000),
        ),
    };
    for (let round = 0; round < rounds; round++) {
      await killWhileWriting(round);
      for (const { point, before, reach } of [preparing, ...between]) {
        await before();
        const site = await order(`site${made.length}x${round}`);
        made.push(site);
        await reach(site);
        await kill();
        nido = await start({ env: all });
        await expectMade(point, site);
      }
    }
    expect(await query("select status, count(*)::int from projects group by 1")).toEqual([
      { status: "active", count: made.length },
    ]);
    await eventually(async () =>
      expect(await query("select key from graphile_worker._private_jobs where attempts < max_attempts")).toEqual([]),
    );
    // The interrupted preparation of the database is repeated in the background.
    const ids = made.map(({ projectId }) => projectId).sort();
    await eventually(() => expect(readdirSync(join(dataDir, "sites")).sort()).toEqual(ids));
    expect(readdirSync(join(dataDir, "run"))).toHaveLength(1);
  },
);
