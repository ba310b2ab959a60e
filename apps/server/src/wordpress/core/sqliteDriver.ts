import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { unzip } from "./unzip.ts";

/** The WordPress project's own driver for SQLite; it is published as a file inside this package. */
const carrier = "@wp-playground/cli/package.json";

export async function unpackSqliteDriver(target: string) {
  const folder = dirname(createRequire(import.meta.url).resolve(carrier));
  const archive = await readFile(join(folder, "sqlite-database-integration.zip"));
  await unzip(archive, target, "plugin-sqlite-database-integration/");
}
