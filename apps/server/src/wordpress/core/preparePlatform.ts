import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { makeWhole } from "./createFolder.ts";
import { unzip } from "./unzip.ts";

const phpFolder = join(import.meta.dirname, "../php");

/** The WordPress project publishes its driver for SQLite as a file inside this package. */
const driverCarrier = dirname(createRequire(import.meta.url).resolve("@wp-playground/cli/package.json"));

/**
 * Lays out what every site runs besides WordPress: our own PHP in `nido`, the database driver in `sqlite`. In a
 * folder named after its content, where PHP can read it even if it cannot read this program's own.
 */
export async function preparePlatform(folder: string): Promise<string> {
  const driver = await readFile(join(driverCarrier, "sqlite-database-integration.zip"));
  const hash = createHash("sha256").update(driver);
  for (const name of (await readdir(phpFolder)).sort()) hash.update(name).update(await readFile(join(phpFolder, name)));
  const name = `platform-${hash.digest("hex").slice(0, 12)}`;
  if (existsSync(join(folder, name))) return join(folder, name);
  return makeWhole(folder, async (unfinished) => {
    await cp(phpFolder, join(unfinished, "nido"), { recursive: true });
    await unzip(driver, join(unfinished, "sqlite"), "plugin-sqlite-database-integration/");
    return name;
  });
}
