import { execFileSync } from "node:child_process";
import { createDatabase } from "@nido/test-kit/database";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { connect } from "./connect.ts";

const endAll = `
  const { default: pg } = await import("pg");
  const client = new pg.Client({ connectionString: process.argv[1] });
  await client.connect();
  await client.query("select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()");
  await client.end();`;

test("connections that broke before their transaction began are returned to the pool", async () => {
  const url = await createDatabase();
  const db = connect(url);
  const one = () => db.transaction((tx) => tx.execute(sql`select 1`));
  const ten = async () => (await Promise.allSettled(Array.from({ length: 10 }, one))).map(({ status }) => status);
  // The pool may notice a closed connection only when it is used.
  const recovers = () => expect.poll(ten).toEqual(Array(10).fill("fulfilled"));
  for (let round = 0; round < 3; round++) {
    await recovers();
    // Synchronous, so that the pool has not noticed the closed connections yet.
    execFileSync(process.execPath, ["--input-type=module", "-e", endAll, url], { cwd: import.meta.dirname });
    expect(await ten()).toContain("rejected");
  }
  await recovers();
  await db.$client.end();
});
