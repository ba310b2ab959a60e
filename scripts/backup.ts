// Copies the database and all files of the product to another place: npm run backup -- TARGET
// TARGET is a folder, or one on another machine in rsync's notation: user@host:folder. See docs/OPERATING.md.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "../apps/server/src/config/parseConfig.ts";
import { databaseAccess } from "./databaseAccess.ts";
import { must } from "./run.ts";

const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, S3_URL: bucket } = parseConfig(process.env);
const [target] = process.argv.slice(2);
if (!target) throw new Error("TARGET is missing. Usage: npm run backup -- TARGET");
if (!databaseUrl) throw new Error("DATABASE_URL is not set: the embedded PostgreSQL has no pg_dump.");

const dumpFolder = join(dataDir, "dump");
const name = `${new Date().toISOString().replace(/[:.]/g, "-")}.dump`;
rmSync(dumpFolder, { recursive: true, force: true });
mkdirSync(dumpFolder, { mode: 0o700, recursive: true });
try {
  // The database is dumped before the files are copied, so that every file it refers to is in the copy. The dump is
  // copied last, so that an interrupted backup is not taken for a complete one.
  const { address, env } = databaseAccess(databaseUrl);
  await must("pg_dump", ["--format=custom", "--file", join(dumpFolder, name), address], env);
  for (const folder of [...(bucket ? [] : ["blobs"]), "backups"]) {
    mkdirSync(join(dataDir, folder), { recursive: true });
    await must("rsync", ["-a", "--mkpath", "--exclude=*.new", `${join(dataDir, folder)}/`, `${target}/${folder}/`]);
  }
  await must("rsync", ["-a", "--mkpath", `${dumpFolder}/`, `${target}/database/`]);
} finally {
  rmSync(dumpFolder, { recursive: true, force: true });
}
console.log(`The backup ${name} in ${target} is complete.`);
