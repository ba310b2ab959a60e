import { randomBytes } from "node:crypto";
import pg from "pg";
import { inject, onTestFinished } from "vitest";

/**
 * Registers a cleanup. By default it runs after the test. Tests that share a fixture pass a function of their
 * own and run the cleanups in `afterAll`.
 */
export type WhenDone = (undo: () => Promise<void>) => void;

/** Creates a migrated database for the calling test, and returns its URL. */
export async function createDatabase(whenDone: WhenDone = onTestFinished): Promise<string> {
  const template = inject("postgresUrl");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await administer(template, `create database ${name} template nido strategy file_copy`);
  whenDone(() => administer(template, `drop database ${name} with (force)`));
  return template.replace("/nido?", `/${name}?`);
}

/** Ends a database's connections, and runs `work` while it refuses new ones. */
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
