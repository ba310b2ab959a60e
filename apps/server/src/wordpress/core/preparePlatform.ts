import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, readdir, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { createFolderAtomically } from "./createFolderAtomically.ts";
import { unzip } from "./unzip.ts";

const phpFolder = join(import.meta.dirname, "../php");

/** The WordPress project publishes its SQLite driver as a zip inside this package. */
const driverPackage = dirname(createRequire(import.meta.url).resolve("@wp-playground/cli/package.json"));

/**
 * Creates the folder that all sites share: our must-use plugins and scripts in `nido`, the SQLite driver in `sqlite`,
 * and in `wp-cli` a place for WP-CLI, which is fetched when somebody needs it.
 * It is named after its content and lies in the data folder, because PHP may not be able to read the checkout.
 */
export async function preparePlatform(folder: string): Promise<string> {
  const driver = await readFile(join(driverPackage, "sqlite-database-integration.zip"));
  const hash = createHash("sha256").update(driver);
  for (const name of (await readdir(phpFolder)).sort()) hash.update(name).update(await readFile(join(phpFolder, name)));
  const name = `platform-${hash.digest("hex").slice(0, 12)}`;
  if (existsSync(join(folder, name))) return join(folder, name);
  return createFolderAtomically(folder, async (unfinished) => {
    await cp(phpFolder, join(unfinished, "nido"), { recursive: true });
    await mkdir(join(unfinished, "wp-cli"));
    await unzip(driver, join(unfinished, "sqlite"), "plugin-sqlite-database-integration/");
    return name;
  });
}
