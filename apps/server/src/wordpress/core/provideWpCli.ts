import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { unpackStudio } from "./studio.ts";

const version = "2.12.0";
const sha512 =
  "be928f6b8ca1e8dfb9d2f4b75a13aa4aee0896f8a9a0a1c45cd5d2c98605e6172e6d014dda2e27f88c98befc16c040cbb2bd1bfa121510ea5cdf5f6a30fe8832";
const release = `https://github.com/wp-cli/wp-cli/releases/download/v${version}/wp-cli-${version}.phar`;
const timeout = 120_000;

/** Puts WP-CLI at a path, unless it is there: the operator's file, or the released one from the first source that has it. */
export async function provideWpCli(target: string, configured?: string) {
  if (existsSync(target)) return;
  const work = await mkdtemp(join(dirname(target), "unfinished-"));
  try {
    const content = configured ? await readFile(configured) : await fetchWpCli(work);
    await writeFile(join(work, "wp-cli.phar"), content, { mode: 0o644 });
    await rename(join(work, "wp-cli.phar"), target);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function fetchWpCli(work: string): Promise<Buffer> {
  const reasons: string[] = [];
  for (const [source, fetchFrom] of Object.entries({ GitHub: fetchRelease, npm: fetchFromStudio })) {
    try {
      const content = await fetchFrom(work);
      if (createHash("sha512").update(content).digest("hex") === sha512) return content;
      reasons.push(`${source}: it is not WP-CLI ${version}`);
    } catch (error) {
      reasons.push(`${source}: ${(error as Error).message}`);
    }
  }
  throw new Error(reasons.join("; "));
}

async function fetchRelease(): Promise<Buffer> {
  const response = await fetch(release, { signal: AbortSignal.timeout(timeout) });
  if (!response.ok) throw new Error(`${release} answered ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

async function fetchFromStudio(work: string): Promise<Buffer> {
  const path = "wp-cli/wp-cli.phar";
  return readFile(join(await unpackStudio(work, [path]), path));
}
