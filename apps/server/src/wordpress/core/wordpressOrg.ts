import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { versionOf } from "./CoreStore.ts";
import { unzip } from "./unzip.ts";
import { isSameMinor } from "./version.ts";

const downloadTimeout = 120_000;
const requestTimeout = 10_000;

const offers = z.object({ offers: z.array(z.object({ version: z.string(), download: z.url() })).min(1) });
const translations = z.object({ translations: z.array(z.object({ language: z.string(), package: z.url() })) });
const checksums = z.object({ checksums: z.record(z.string(), z.string()) });

/**
 * Takes the newest release from wordpress.org, or the newest of a release line. Verifies every checksum, and adds the Spanish translations of the core, its themes and its plugins.
 */
export function coreOfWordPressOrg(api = "https://api.wordpress.org") {
  return async (target: string, { line, signal }: { line: string | undefined; signal: AbortSignal }) => {
    const getJson = (url: string) => get(url, signal, requestTimeout).then((response) => response.json());
    const download = async (url: string) =>
      new Uint8Array(await (await get(url, signal, downloadTimeout)).arrayBuffer());
    const found = offers.parse(await getJson(`${api}/core/version-check/1.7/${line ? `?version=${line}` : ""}`)).offers;
    const release = line ? found.find(({ version }) => isSameMinor(version, line)) : found[0];
    if (!release) throw new Error("wordpress.org offers no release");
    await unzip(await download(release.download), target, "wordpress/");
    const published = await getJson(`${api}/core/checksums/1.0/?version=${await versionOf(target)}&locale=en_US`);
    await verify(target, checksums.parse(published).checksums);

    const translated = translations.parse(await getJson(`${api}/translations/core/1.0/?version=${release.version}`));
    const spanish = translated.translations.find(({ language }) => language === "es_ES");
    if (!spanish) throw new Error(`WordPress ${release.version} has no Spanish translation`);
    await unzip(await download(spanish.package), join(target, "wp-content/languages"));
    // The themes and plugins that come with WordPress have translations of their own.
    for (const kind of ["themes", "plugins"] as const) {
      for (const { slug, version } of await findExtensions(target, kind)) {
        const offered = await getJson(`${api}/translations/${kind}/1.0/?slug=${slug}&version=${version}`);
        const own = translations.parse(offered).translations.find(({ language }) => language === "es_ES");
        if (own) await unzip(await download(own.package), join(target, `wp-content/languages/${kind}`));
      }
    }
  };
}

/** The themes or plugins of a WordPress, each in a folder, with the version that its main file says. */
async function findExtensions(core: string, kind: "themes" | "plugins") {
  const folder = join(core, "wp-content", kind);
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const extensions = entries.map(async (entry) => {
    const main = kind === "themes" ? "style.css" : `${entry.name}.php`;
    const header = entry.isDirectory() ? await readFile(join(folder, entry.name, main), "utf8").catch(() => "") : "";
    return { slug: entry.name, version: /^[\s*]*Version:\s*([\w.-]+)/m.exec(header)?.[1] };
  });
  return (await Promise.all(extensions)).filter(({ version }) => version !== undefined);
}

async function verify(folder: string, known: Record<string, string>) {
  for (const [path, checksum] of Object.entries(known)) {
    const bytes = await readFile(join(folder, path));
    if (createHash("md5").update(bytes).digest("hex") !== checksum) throw new Error(`wrong checksum of ${path}`);
  }
}

async function get(url: string, signal: AbortSignal, limit: number): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.any([signal, AbortSignal.timeout(limit)]) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}
