import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createDatabase } from "@nido/test-kit/database";
import { testLong } from "@nido/test-kit/long";
import { ended, settings, start } from "@nido/test-kit/product";
import { giveToken } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished } from "vitest";
import { findCredentials } from "../account/queries.ts";
import { connect } from "../db/connect.ts";

/** How often a process is killed; `npm run test:long` sets a higher number. */
const kills = 6 * Number(process.env["NIDO_TEST_ROUNDS"] ?? 1);
const cli = resolve(import.meta.dirname, "../../../cli/dist/nido.cjs");

/** Tables with a trigger that blocks a write, before it commits, while the table is named in `trap`. */
const tables = ["deploys", "blobs", "branches"];
const trap = `
  create table trap (name text);
  create function fall_into_trap() returns trigger as $$
  begin
    if tg_table_name in (select name from trap) then perform pg_advisory_xact_lock_shared(8); end if;
    return new;
  end $$ language plpgsql;
  ${tables.map((name) => `create trigger trap before insert or update on ${name} for each row execute function fall_into_trap();`).join("\n")}`;
const trapped = "select pid from pg_stat_activity where wait_event = 'advisory' and datname = current_database()";

testLong(
  "if the server or the CLI is killed during publish, one complete deploy is served, and the next publish succeeds",
  {
    timeout: 3_600_000,
  },
  async () => {
    const { env, port, origin } = await settings();
    const databaseUrl = await createDatabase();
    const all = { ...env, DATABASE_URL: databaseUrl, LOG_LEVEL: "error" };
    const db = connect(databaseUrl);
    onTestFinished(() => db.$client.end());
    const query = async (sql: string) => (await db.$client.query(sql)).rows;
    await query(trap);
    const holder = await db.$client.connect();
    onTestFinished(() => holder.release(true));
    let nido = await start({ env: all });
    const userId = (await findCredentials(db, "demo@nido.example"))?.id as string;
    await addProject(db, userId, "folio", { recipe: "static_starter" });
    const token = await giveToken({ db }, userId);

    const folder = mkdtempSync(join(tmpdir(), "nido-killed-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const files = Array.from({ length: 40 }, (_, index) => `part${index}.txt`);
    const build = (version: number, large = 0) => {
      mkdirSync(join(folder, "dist"), { recursive: true });
      writeFileSync(join(folder, "dist/large.bin"), Buffer.alloc(large, `${version}`));
      for (const file of ["index.html", ...files])
        writeFileSync(join(folder, "dist", file), `version ${version} of ${file}`);
    };
    const publish = () => {
      const child = spawn(process.execPath, [cli, "publish", "dist", "--project", "folio"], {
        cwd: folder,
        env: { PATH: process.env["PATH"], HOME: folder, NIDO_SERVER: origin, NIDO_TOKEN: token },
        stdio: ["ignore", "ignore", "pipe"],
      });
      onTestFinished(() => void child.kill("SIGKILL"));
      let stderr = "";
      child.stderr.on("data", (chunk) => (stderr += chunk));
      return { child, stderr: () => stderr };
    };
    /** The versions of the files that the site serves: one, if its deploy is complete. */
    const versions = async () => {
      const shown = await Promise.all(
        ["", ...files].map(async (file) => {
          const { text } = await ask(`127.0.0.1:${port}`, `folio.localhost:${port}`, `/${file}`);
          return /^version (\d+)/.exec(text)?.[1];
        }),
      );
      return [...new Set(shown)];
    };

    let version = 1;
    build(version);
    expect(await ended(publish().child)).toBe(0);
    for (let kill = 0; kill < kills; kill++) {
      const [victim, table] = [kill % 2 === 0 ? "server" : "cli", tables[kill % 3] as string];
      await holder.query("select pg_advisory_lock(8)");
      await query(`insert into trap values ('${table}')`);
      // A small deploy is sent in one request, a large one in several.
      build(version + 1, kill % 4 < 2 ? 0 : 6_000_000);
      const { child } = publish();
      await eventually(async () => expect(await query(trapped)).not.toEqual([]));
      (victim === "server" ? nido.child : child).kill("SIGKILL");
      if (victim === "server") await ended(nido.child);
      await query("delete from trap");
      if (victim === "server") await query(`select pg_terminate_backend(pid) from (${trapped})`);
      await holder.query("select pg_advisory_unlock(8)");
      if (victim === "server") nido = await start({ env: all });
      await ended(child);
      const isComplete = async () => {
        const shown = await versions();
        expect([victim, table, shown.length, shown[0]]).toEqual([
          victim,
          table,
          1,
          expect.stringMatching(`^(${version}|${version + 1})$`),
        ]);
      };
      // What a killed tool had begun is finished by the server while we look.
      await (victim === "server" ? isComplete() : eventually(isComplete));

      version += 2;
      build(version);
      const next = publish();
      expect([victim, table, await ended(next.child), next.stderr()]).toEqual([
        victim,
        table,
        0,
        expect.stringContaining("folio"),
      ]);
      expect(await versions()).toEqual([String(version)]);
    }

    // Blobs without a row in the database are uploaded again, although they are served.
    await query("delete from blobs");
    const { child, stderr } = publish();
    expect([await ended(child), stderr()]).toEqual([0, expect.stringContaining("folio")]);
    expect(await query("select count(*)::int from blobs")).toEqual([{ count: files.length + 2 }]);
  },
);
