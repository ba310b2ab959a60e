import { createHash } from "node:crypto";
import { basename } from "node:path";
import { type Language, languages } from "@nido/contract";
import { sql } from "drizzle-orm";
import { KeyedMutex } from "../platform/KeyedMutex.ts";
import type { Core } from "./core/CoreStore.ts";
import { requestSite } from "./requestSite.ts";
import type { WordPress } from "./WordPress.ts";
import type { WordPressRuntime } from "./WordPressRuntime.ts";

const local = {
  es: { locale: "es_ES", timezone: "Europe/Madrid" },
  en: { locale: "", timezone: "UTC" },
};
const mutex = new KeyedMutex();

/** Prepares a database for every language, so that no buyer waits for it. */
export async function prepareDatabases(wordpress: WordPress, runtime: WordPressRuntime) {
  const core = await runtime.cores.current();
  for (const lang of languages) await prepareDatabase(wordpress, runtime, core, lang);
}

/**
 * The name of a database with a freshly installed WordPress that has no owner yet. New sites start from a copy of it,
 * because installing takes most of the time of provisioning.
 */
export async function prepareDatabase(
  wordpress: WordPress,
  runtime: WordPressRuntime,
  core: Core,
  lang: Language,
): Promise<string> {
  const { db, platform } = wordpress;
  const name = `${basename(await platform())}-${lang}`;
  if (await runtime.hasPrepared(core.version, name)) return name;
  await mutex.run(runtime.name + core.version + name, () =>
    db.transaction(async (tx) => {
      await tx.execute(sql`select pg_advisory_xact_lock(hashtext('prepareDatabase'))`);
      if (!(await runtime.hasPrepared(core.version, name))) await install(wordpress, runtime, core, lang, name);
    }),
  );
  return name;
}

/** Installs on a temporary site with a fixed id, so that the leftovers of an interrupted attempt are found and removed. */
async function install(
  wordpress: WordPress,
  runtime: WordPressRuntime,
  { version, folder }: Core,
  lang: Language,
  name: string,
) {
  const site = {
    id: idOf(folder + name),
    recipe: "wordpress_starter",
    url: "http://nobody.nido.invalid",
    core: version,
    runtime: runtime.name,
  } as const;
  try {
    await runtime.createDatabase(site);
    await runtime.createFiles(site);
    const server = { NIDO_INSTALL: JSON.stringify(local[lang]) };
    const page = await requestSite(wordpress, site, { url: "/", script: { in: "nido", path: "install.php" }, server });
    if (page !== "installed") throw new Error(`install.php of WordPress ${version} printed: ${page.slice(0, 500)}`);
    await runtime.savePrepared(site, name);
  } finally {
    await runtime.remove(site.id);
  }
}

function idOf(text: string): string {
  const hex = createHash("sha256").update(text).digest("hex");
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}
