import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";

/** Takes what is to be undone: after the test, unless a file's tests share it. */
export type WhenDone = (undo: () => Promise<void>) => void;

/** The address of a fresh, migrated database of the calling test's own. */
export async function createDatabase(whenDone: WhenDone = onTestFinished): Promise<string> {
  const template = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(template, `create database ${name} template nido strategy file_copy`);
  whenDone(() => administer(template, `drop database ${name} with (force)`));
  return template.replace("/nido?", `/${name}?`);
}

/** Does something while a database takes no connection and has lost those it had. */
export async function whileAway(databaseUrl: string, work: () => Promise<void>) {
  const template = inject("postgresUrl");
  const [name = ""] = /test_\w+/.exec(databaseUrl) ?? [];
  await administer(template, `alter database ${name} with allow_connections false`);
  await administer(template, `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`);
  try {
    await work();
  } finally {
    await administer(template, `alter database ${name} with allow_connections true`);
  }
}

async function administer(url: string, statement: string) {
  const client = new pg.Client({ connectionString: url.replace("/nido?", "/postgres?") });
  await client.connect();
  await client.query(statement);
  await client.end();
}
