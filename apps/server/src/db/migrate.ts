import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";

const silent = new Logger(() => () => undefined);
const lockId = 0x6e69646f; // "nido"

/**
 * Migrates the database, including the job queue's own tables. Drizzle's migrator takes no lock, so an advisory lock
 * makes processes that start together take turns.
 */
export async function migrate(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lockId]);
    await applyMigrations(drizzle({ client }), { migrationsFolder: `${import.meta.dirname}/migrations` });
    await runMigrations({ connectionString: url, logger: silent });
  } finally {
    await client.end();
  }
}
