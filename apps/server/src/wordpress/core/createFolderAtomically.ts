import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const prefix = "unfinished-";
const abandonedAfter = 3_600_000;

/**
 * Creates a folder that is visible only once it is complete. If two processes create the same one, the first wins.
 * `fill` returns the folder's name.
 */
export async function createFolderAtomically(
  parent: string,
  fill: (unfinished: string) => Promise<string>,
): Promise<string> {
  await mkdir(parent, { recursive: true });
  for (const name of await readdir(parent)) if (name.startsWith(prefix)) await removeAbandoned(join(parent, name));
  const unfinished = await mkdtemp(join(parent, prefix));
  try {
    await chmod(unfinished, 0o755);
    const made = join(parent, await fill(unfinished));
    await rename(unfinished, made).catch((error) => {
      if (!existsSync(made)) throw error;
    });
    return made;
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

async function removeAbandoned(folder: string) {
  const { mtimeMs } = await stat(folder).catch(() => ({ mtimeMs: Date.now() }));
  if (Date.now() - mtimeMs > abandonedAfter) await rm(folder, { recursive: true, force: true });
}
