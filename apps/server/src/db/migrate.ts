import { drizzle } from "drizzle-orm/node-postgres";
import { migrate as applyMigrations } from "drizzle-orm/node-postgres/migrator";
import { Logger, runMigrations } from "graphile-worker";
import pg from "pg";

const silent = new Logger(() => () => undefined);
const lock = 0x6e69646f; // "nido"

/** Brings the database up to date, the job queue's own tables included. Processes that start together take turns: the migrator itself takes no lock. */
export async function migrate(url: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("select pg_advisory_lock($1)", [lock]);
    await applyMigrations(drizzle({ client }), { migrationsFolder: `${import.meta.dirname}/migrations` });
    await runMigrations({ connectionString: url, logger: silent });
  } finally {
    await client.end();
  }
}
