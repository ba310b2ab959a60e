// Copies all that a product knows elsewhere: npm run backup -- TARGET
// TARGET is a folder, or what rsync calls one on another machine: user@host:folder. See docs/OPERATING.md.
import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { parseConfig } from "../apps/server/src/config/parseConfig.ts";
import { databaseAccess } from "./databaseAccess.ts";
import { must } from "./run.ts";

const { DATA_DIR: dataDir, DATABASE_URL: databaseUrl, S3_URL: bucket } = parseConfig(process.env);
const [target] = process.argv.slice(2);
if (!target) throw new Error("Where to? TARGET is missing.");
if (!databaseUrl) throw new Error("DATABASE_URL is not set: the embedded PostgreSQL has no pg_dump.");

const unfinished = join(dataDir, "dump");
const name = `${new Date().toISOString().replace(/[:.]/g, "-")}.dump`;
rmSync(unfinished, { recursive: true, force: true });
mkdirSync(unfinished, { mode: 0o700, recursive: true });
try {
  // The database first: files that come after are not known, files that it knows are all there. It is told last: what
  // was broken off before is not taken for a copy.
  const { address, env } = databaseAccess(databaseUrl);
  await must("pg_dump", ["--format=custom", "--file", join(unfinished, name), address], env);
  for (const folder of [...(bucket ? [] : ["blobs"]), "backups"]) {
    mkdirSync(join(dataDir, folder), { recursive: true });
    await must("rsync", ["-a", "--mkpath", "--exclude=*.new", `${join(dataDir, folder)}/`, `${target}/${folder}/`]);
  }
  await must("rsync", ["-a", "--mkpath", `${unfinished}/`, `${target}/database/`]);
} finally {
  rmSync(unfinished, { recursive: true, force: true });
}
console.log(`${target} has everything, as ${name}.`);
