import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { siteFolder } from "../siteFolder.ts";
import type { WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

const run = promisify(execFile);

const mostKept = 7;
const isBackup = /^\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz$/;

/** Writes a site's files and its database, as it was at one moment, into one file, and drops the oldest but one that is spared. */
export async function backUp({ dataDir, runtime, signal }: WordPress, site: Site, spared?: string): Promise<string> {
  const { root, backup } = siteFolder(dataDir, site.id);
  const folder = backupFolder(dataDir, site.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Of attempts that were broken off.
  for (const left of await readdir(folder)) if (left.endsWith(".new")) await rm(join(folder, left));
  await runtime.snapshot(site);
  const name = `${new Date().toISOString().replace(/[:.]/g, "-")}.tar.gz`;
  const unfinished = join(folder, `${name}.new`);
  // 1: files changed while they were read, which they may.
  await run("tar", ["-czf", unfinished, "-C", root, "wp-content", "site.json", "backup"], { signal }).catch((error) => {
    if (error.code !== 1) throw error;
  });
  await rename(unfinished, join(folder, name));
  for (const copy of await readdir(backup)) await rm(join(backup, copy));
  const old = (await findBackups(dataDir, site.id)).slice(mostKept);
  for (const each of old) if (each !== spared) await rm(join(folder, each));
  return name;
}

/** A site's backups, the latest first. */
export async function findBackups(dataDir: string, siteId: string): Promise<string[]> {
  const names = await readdir(backupFolder(dataDir, siteId)).catch(() => []);
  return names
    .filter((name) => isBackup.test(name))
    .sort()
    .reverse();
}

/** Puts a site back to what a backup holds. What it was until now is gone. */
export async function restoreBackup({ dataDir, runtime, signal }: WordPress, site: Site, name: string) {
  if (!isBackup.test(name)) throw new Error(`${name} is not the name of a backup`);
  const unpacked = join(dataDir, "unpacked", site.id);
  await rm(unpacked, { recursive: true, force: true });
  await mkdir(unpacked, { recursive: true });
  await run("tar", ["-xzf", join(backupFolder(dataDir, site.id), name), "-C", unpacked, "--no-same-owner"], { signal });
  await runtime.restore(site, unpacked);
}

export async function removeBackups(dataDir: string, siteId: string) {
  await rm(backupFolder(dataDir, siteId), { recursive: true, force: true });
}

function backupFolder(dataDir: string, siteId: string): string {
  return join(dataDir, "backups", siteId);
}
