import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const prefix = "unfinished-";
const abandoned = 3_600_000;

/**
 * Makes a folder that nobody sees half done, also where another process makes the same one: whoever is first has made
 * it. `fill` says what it is called.
 */
export async function makeWhole(parent: string, fill: (unfinished: string) => Promise<string>): Promise<string> {
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
  if (Date.now() - mtimeMs > abandoned) await rm(folder, { recursive: true, force: true });
}
