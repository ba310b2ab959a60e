// Restores the copy that `npm run backup` made, into an empty database: npm run restore -- TARGET [DUMP]
// DUMP is the name of a file in TARGET/database; without it, the latest is used. See docs/OPERATING.md.
import { mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sql } from "drizzle-orm";
import { parseConfig } from "../apps/server/src/config/parseConfig.ts";
import { connect } from "../apps/server/src/db/connect.ts";
import { databaseAccess } from "./databaseAccess.ts";
import { must } from "./run.ts";

const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, S3_URL: bucket } = parseConfig(process.env);
const [target, chosenDump] = process.argv.slice(2);
if (!target) throw new Error("TARGET is missing. Usage: npm run restore -- TARGET [DUMP]");
if (!databaseUrl) throw new Error("DATABASE_URL is not set: a dump cannot be restored into the embedded PostgreSQL.");
const db = connect(databaseUrl);
const { rows } = await db.execute(sql`select 1 from pg_tables where tablename = 'users'`);
await db.$client.end();
if (rows.length > 0) throw new Error("The database is not empty: nothing was changed.");

const dumps = join(dataDir, "dump");
for (const folder of [...(bucket ? [] : ["blobs"]), "backups"]) {
  mkdirSync(join(dataDir, folder), { recursive: true });
  await must("rsync", ["-a", `${target}/${folder}/`, `${join(dataDir, folder)}/`]);
}
rmSync(dumps, { recursive: true, force: true });
mkdirSync(dumps, { mode: 0o700 });
try {
  await must("rsync", ["-a", `${target}/database/`, `${dumps}/`]);
  const name = chosenDump ?? readdirSync(dumps).sort().at(-1);
  if (!name || !readdirSync(dumps).includes(name))
    throw new Error(`${target}/database does not contain ${chosenDump ?? "a dump"}.`);
  const { address, env } = databaseAccess(databaseUrl);
  const options = ["--no-owner", "--exit-on-error", "--single-transaction", "--dbname", address];
  await must("pg_restore", [...options, join(dumps, name)], env);
  console.log(
    `The database is restored from ${name}. Start Nido, then restore the sites: npm run sites -- restore-all`,
  );
} finally {
  rmSync(dumps, { recursive: true, force: true });
}
