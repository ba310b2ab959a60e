import { spawn } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import { PassThrough, type Readable } from "node:stream";
import { text } from "node:stream/consumers";

const timeLimit = 60 * 60_000;

interface Sources {
  /** the folder with `wp-content` */
  root: string;
  /** the folder with `site.json` */
  settings: string;
  /** the folder with a folder `backup`, which has the copy of the database */
  snapshot: string;
}

/**
 * Packs a site's files and the copy of its database, which is removed afterwards, as a compressed tar archive. The
 * stream fails if the archive is not complete.
 */
export function packSite({ root, settings, snapshot }: Sources, signal: AbortSignal): Readable {
  const backup = join(snapshot, "backup");
  const content = ["-C", root, "wp-content", "-C", settings, "site.json", "-C", snapshot, "backup"];
  // tar opens what a site owns without following links or waiting for FIFOs. Without --sparse, a file with a terabyte
  // of holes would be read for hours.
  const tar = spawn("tar", ["-cz", "--sparse", ...content], {
    stdio: ["ignore", "pipe", "pipe"],
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeLimit)]),
  });
  const archive = new PassThrough();
  archive.on("error", () => undefined); // whoever reads it gets the error, too
  const errors = text(tar.stderr).catch(() => "");
  tar.stdout.pipe(archive, { end: false });
  tar.once("error", (error) => archive.destroy(error));
  archive.once("close", () => tar.kill("SIGKILL"));
  tar.once("close", async (code) => {
    for (const copy of await readdir(backup).catch(() => [])) await rm(join(backup, copy), { force: true });
    // 1: a file changed while it was read, as happens on a live site.
    if (code === 0 || code === 1) archive.end();
    else archive.destroy(new Error(`tar failed: ${(await errors).trim().split("\n").at(-1)}`));
  });
  return archive;
}
