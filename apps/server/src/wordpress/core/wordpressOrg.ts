import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { versionOf } from "./CoreStore.ts";
import { unzip } from "./unzip.ts";

const aMinute = 60_000;
const fewSeconds = 10_000;

const offers = z.object({ offers: z.array(z.object({ version: z.string(), download: z.url() })).min(1) });
const translations = z.object({ translations: z.array(z.object({ language: z.string(), package: z.url() })) });
const checksums = z.object({ checksums: z.record(z.string(), z.string()) });

/** The newest release of wordpress.org, each file held against its checksum, with the Spanish translation. */
export function coreOfWordPressOrg(api = "https://api.wordpress.org") {
  return async (target: string) => {
    const release = offers.parse(await ask(`${api}/core/version-check/1.7/`)).offers[0];
    if (!release) throw new Error("there is no release");
    await unzip(await download(release.download), target, "wordpress/");
    await verify(api, target);

    const found = translations.parse(await ask(`${api}/translations/core/1.0/?version=${release.version}`));
    const spanish = found.translations.find(({ language }) => language === "es_ES");
    if (!spanish) throw new Error(`WordPress ${release.version} has no Spanish translation`);
    await unzip(await download(spanish.package), join(target, "wp-content/languages"));
  };
}

async function verify(api: string, folder: string) {
  const version = await versionOf(folder);
  const known = checksums.parse(await ask(`${api}/core/checksums/1.0/?version=${version}&locale=en_US`)).checksums;
  for (const [path, checksum] of Object.entries(known)) {
    const bytes = await readFile(join(folder, path));
    if (createHash("md5").update(bytes).digest("hex") !== checksum) throw new Error(`${path} is not what it should be`);
  }
}

async function ask(url: string): Promise<unknown> {
  const response = await fetch(url, { signal: AbortSignal.timeout(fewSeconds) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response.json();
}

async function download(url: string): Promise<Uint8Array> {
  const response = await fetch(url, { signal: AbortSignal.timeout(2 * aMinute) });
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return new Uint8Array(await response.arrayBuffer());
}
