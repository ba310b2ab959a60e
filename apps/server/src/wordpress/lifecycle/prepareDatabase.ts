import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { copyFile, rename } from "node:fs/promises";
import { basename, dirname, extname, join } from "node:path";
import { type Language, languages } from "@nido/contract";
import { sql } from "drizzle-orm";
import { KeyedMutex } from "../../platform/KeyedMutex.ts";
import type { Core } from "../core/CoreStore.ts";
import { requestSite } from "../requestSite.ts";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";

const local = {
  es: { locale: "es_ES", timezone: "Europe/Madrid" },
  en: { locale: "", timezone: "UTC" },
};
const mutex = new KeyedMutex();

/** Prepares a database for every language, so that no buyer waits for it. */
export async function prepareDatabases(wordpress: WordPress) {
  const core = await wordpress.cores.current();
  for (const lang of languages) await prepareDatabase(wordpress, core, lang);
}

/**
 * A database with a freshly installed WordPress that has no owner yet. New sites start from a copy of it, because
 * installing takes most of the time of provisioning. The file lies beside the WordPress version that made it.
 */
export async function prepareDatabase(wordpress: WordPress, core: Core, lang: Language): Promise<string> {
  const { db, platform, runtime } = wordpress;
  const name = `${basename(await platform())}-${lang}${extname(runtime.copyName)}`;
  const file = join(dirname(core.folder), name);
  if (existsSync(file)) return file;
  await mutex.run(file, () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('prepareDatabase'))`);
      if (!existsSync(file)) await install(wordpress, core, lang, file);
    }),
  );
  return file;
}

/** Installs on a temporary site with a fixed id, so that the leftovers of an interrupted attempt are found and removed. */
async function install(wordpress: WordPress, { version }: Core, lang: Language, file: string) {
  const { dataDir, runtime } = wordpress;
  const site = {
    id: idOf(file),
    recipe: "wordpress_starter",
    url: "http://nobody.nido.invalid",
    core: version,
  } as const;
  try {
    await runtime.createDatabase(site);
    await runtime.createFiles(site);
    const server = { NIDO_INSTALL: JSON.stringify(local[lang]) };
    const page = await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "install.php" }, server });
    if (page !== "installed") throw new Error(`install.php of WordPress ${version} printed: ${page.slice(0, 500)}`);
    await runtime.snapshot(site);
    await copyFile(join(siteFolder(dataDir, site.id).backup, runtime.copyName), `${file}.new`);
  } finally {
    await runtime.remove(site.id);
  }
  await rename(`${file}.new`, file);
}

function idOf(file: string): string {
  const hex = createHash("sha256").update(file).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}
