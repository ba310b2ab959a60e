import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { createGunzip } from "node:zlib";
import { type ArchiveFile, guard, readArchive } from "./readArchive.ts";
import { type DumpReport, readDump } from "./readDump.ts";

/** What is brought in from an archive, and what is not. */
export interface MoveInPlan {
  /** the folder of the archive that has `wp-content` in it, with a slash at its end unless it is empty */
  root: string;
  files: number;
  bytes: number;
  /** WordPress's version, if the archive contains WordPress itself */
  wordpress: string;
  plugins: string[];
  themes: string[];
  /** what stays behind, below `wp-content` */
  left: string[];
  /** the path of the dump in the archive; undefined if it has none */
  dump: string | undefined;
  database: DumpReport | undefined;
}

/** The dump of a site that was copied from its address. It may have older ones among its files. */
export const copiedDump = "nido-database.sql";

const content = "wp-content/";
/**
 * Drop-ins belong to the host that the site comes from, and run before any plugin. Caches are made again, and other
 * plugins' backups would fill the disk.
 */
const leftFiles = ["db.php", "object-cache.php", "advanced-cache.php", "maintenance.php", "debug.log"];
const leftFolders =
  /^(mu-plugins|cache|et-cache|litespeed|upgrade|upgrade-temp-backup|updraft|ai1wm-backups|backups-dup-(lite|pro)|wpvividbackups|backuply|wflogs)$/;
const isDump = /\.sql(\.gz)?$/i;
const maxVersionBytes = 10_000;
/** of plugins, themes and what stays behind */
const maxNames = 300;
const maxNameLength = 100;

/** Where a file of the archive goes, below `wp-content`; undefined if it stays behind. */
export function targetOf({ root }: Pick<MoveInPlan, "root">, path: string): string | undefined {
  const below = path.startsWith(root + content) ? path.slice(root.length + content.length) : "";
  return below && !leftAs(below) ? below : undefined;
}

function leftAs(below: string): string | undefined {
  const [first = "", ...others] = below.split("/");
  if (others.length === 0) return leftFiles.includes(first) || isDump.test(first) ? first : undefined;
  return leftFolders.test(first) ? first : undefined;
}

/** Looks through an archive, without changing anything. */
export async function planMoveIn(archive: string, maxBytes: number): Promise<MoveInPlan> {
  const { root, dump } = await findParts(archive, maxBytes);
  const plan: MoveInPlan = {
    ...{ root, files: 0, bytes: 0, wordpress: "", plugins: [], themes: [], left: [] },
    ...{ dump, database: undefined },
  };
  const found = { plugins: new Set<string>(), themes: new Set<string>(), left: new Set<string>() };
  const note = (set: Set<string>, name: string) => set.size < maxNames && set.add(name.slice(0, maxNameLength));
  for await (const file of readArchive(archive, maxBytes)) {
    if (file.path === dump) plan.database = await readDump(await readUnzipped(file), maxBytes);
    if (file.path === `${root}wp-includes/version.php` && file.size < maxVersionBytes)
      plan.wordpress = /\$wp_version = '([^']+)'/.exec(await text(await file.read()))?.[1] ?? "";
    if (!file.path.startsWith(root + content)) continue;
    const below = file.path.slice(root.length + content.length);
    const left = leftAs(below);
    if (left) note(found.left, left);
    if (left || file.path === dump) continue;
    plan.files++;
    plan.bytes += file.size;
    const [kind, name, inside] = below.split("/");
    if ((kind === "plugins" || kind === "themes") && name && inside) note(found[kind], name);
  }
  return { ...plan, plugins: [...found.plugins], themes: [...found.themes], left: [...found.left] };
}

/** The outermost `wp-content`, and the dump: the one of a copy, or else the largest. */
async function findParts(archive: string, maxBytes: number): Promise<{ root: string; dump: string | undefined }> {
  let root: string | undefined;
  let dump: ArchiveFile | undefined;
  for await (const file of readArchive(archive, maxBytes)) {
    const at = `/${file.path}`.indexOf(`/${content}`);
    if (at >= 0 && (root === undefined || at < root.length)) root = file.path.slice(0, at);
    const isBetter = file.path === copiedDump || (dump?.path !== copiedDump && file.size > (dump?.size ?? 0));
    if (isDump.test(file.path) && isBetter) dump = file;
  }
  return { root: root ?? "", dump: dump?.path };
}

/** A dump as text, also if it is compressed. */
export async function readUnzipped(file: ArchiveFile): Promise<Readable> {
  const source = await file.read();
  if (!file.path.toLowerCase().endsWith(".gz")) return source;
  const unzipped = createGunzip();
  source.on("error", (error) => unzipped.destroy(error)).pipe(unzipped);
  return guard(unzipped);
}
