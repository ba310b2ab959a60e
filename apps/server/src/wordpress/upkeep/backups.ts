import { execFile } from "node:child_process";
import { mkdir, readdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { markBackedUp, resetReport } from "../dueSites.ts";
import { findWordPress } from "../queries.ts";
import { siteFolder } from "../siteFolder.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import type { Site } from "../WordPressRuntime.ts";

const run = promisify(execFile);

const maxBackups = 7;
const timeLimit = 60 * 60_000;
const backupName = /^\d{4}-\d\d-\d\dT[\d-]+Z\.tar\.gz$/;

export async function backUpSite(wordpress: WordPress, projectId: string) {
  const row = await findWordPress(wordpress.db, projectId);
  if (row && !row.archivedAt) await backUp(wordpress, siteOf(wordpress, row));
}

/** Archives a site's files and a consistent copy of its database. Deletes the oldest backups, except `spared`. */
export async function backUp(
  { db, dataDir, runtime, signal }: WordPress,
  site: Site,
  spared?: string,
): Promise<string> {
  const { root, snapshot, backup } = siteFolder(dataDir, site.id);
  const folder = backupFolder(dataDir, site.id);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  // Leftovers of interrupted attempts.
  for (const left of await readdir(folder)) if (left.endsWith(".new")) await rm(join(folder, left));
  await runtime.snapshot(site);
  const name = `${new Date().toISOString().replace(/[:.]/g, "-")}.tar.gz`;
  const unfinished = join(folder, `${name}.new`);
  const content = ["-C", root, "wp-content", "site.json", "-C", snapshot, "backup"];
  // tar opens what a site owns without following links or waiting for FIFOs. Without --sparse, a file with a terabyte
  // of holes would be read for hours. Exit code 1: a file changed while it was read, as happens on a live site.
  await run("tar", ["-cz", "--sparse", "-f", unfinished, ...content], {
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
  }).catch((error) => {
    if (error.code !== 1) throw error;
  });
  await rename(unfinished, join(folder, name));
  await markBackedUp(db, site.id);
  for (const copy of await readdir(backup)) await rm(join(backup, copy));
  const old = (await findBackups(dataDir, site.id)).slice(maxBackups);
  for (const each of old) if (each !== spared) await rm(join(folder, each));
  return name;
}

/** The file names of a site's backups, newest first. */
export async function findBackups(dataDir: string, siteId: string): Promise<string[]> {
  const names = await readdir(backupFolder(dataDir, siteId)).catch(() => []);
  return names
    .filter((name) => backupName.test(name))
    .sort()
    .reverse();
}

/** Replaces a site with a backup of it. */
export async function restoreBackup({ db, dataDir, runtime, reports }: WordPress, site: Site, name: string) {
  if (!backupName.test(name)) throw new Error(`not a backup of site ${site.id}: ${name}`);
  await runtime.restore(site, join(backupFolder(dataDir, site.id), name));
  reports.forget(site.id);
  await resetReport(db, site.id);
}

export async function removeBackups(dataDir: string, siteId: string) {
  await rm(backupFolder(dataDir, siteId), { recursive: true, force: true });
}

function backupFolder(dataDir: string, siteId: string): string {
  return join(dataDir, "backups", siteId);
}
