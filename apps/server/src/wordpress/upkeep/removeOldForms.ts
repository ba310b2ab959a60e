import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { findLivingSites } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";

/** What a site has more of is made again when somebody asks for it. */
const maxBytesOfSite = 250_000_000;
/** What an empty file takes. */
const bytesOfFile = 4096;
const maxAgeMs = 30 * 24 * 60 * 60_000;

/** The WebP and AVIF forms of sites' images. */
export function imagesFolder(dataDir: string): string {
  return join(dataDir, "image-forms");
}

/** Removes forms that are old or too many, and those of deleted sites. */
export async function removeOldForms({ db, dataDir }: WordPress) {
  const folder = imagesFolder(dataDir);
  const folders = (await readdir(folder).catch(() => [])).filter((name) => z.uuid().safeParse(name).success);
  const living = await findLivingSites(db, folders);
  for (const id of folders) {
    if (living.has(id)) await keepNewest(join(folder, id));
    else await rm(join(folder, id), { recursive: true, force: true });
  }
}

async function keepNewest(folder: string) {
  const forms = await Promise.all(
    (await readdir(folder)).map(async (name) => {
      const path = join(folder, name);
      // It may have got its name meanwhile.
      const { size, mtimeMs } = (await stat(path).catch(() => undefined)) ?? { size: 0, mtimeMs: Date.now() };
      return { path, size, mtimeMs };
    }),
  );
  let bytes = 0;
  for (const { path, size, mtimeMs } of forms.sort((one, other) => other.mtimeMs - one.mtimeMs)) {
    bytes += size + bytesOfFile;
    if (bytes > maxBytesOfSite || Date.now() - mtimeMs > maxAgeMs) await rm(path, { force: true });
  }
}
