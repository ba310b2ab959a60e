import { execFile } from "node:child_process";
import { mkdir, rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export const databaseFile = "wordpress.sqlite";

/** Makes the folder of a site from one of its backups. */
export async function unpackBackup(archive: string, folder: string) {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await promisify(execFile)("tar", ["-xzf", archive, "-C", folder, "--no-same-owner"]);
  await mkdir(join(folder, "database"), { recursive: true });
  await rename(join(folder, "backup", databaseFile), join(folder, "database", databaseFile));
  for (const name of ["state", "mail"]) await mkdir(join(folder, name), { recursive: true });
}
