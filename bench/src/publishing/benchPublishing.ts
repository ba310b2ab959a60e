import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import type { Report } from "../Benchmark.ts";
import { makeWorkFolder } from "../makeWorkFolder.ts";
import { startStaticProduct } from "../product/startStaticProduct.ts";

const run = promisify(execFile);
const rounds = 5;
/**
 * Rounds that are not counted. The server compiles its code during the first ones. ext4 is slower while it skips
 * the inodes of files that were removed within the last minute, and setting up the product removes many.
 */
const warmUps = 5;
const [fileCount, fileBytes] = [1000, 50_000];

type Publish = (site: string) => Promise<unknown>;

/** Publishes a new site, and then the same site with one file in a hundred changed. */
export async function benchPublishing(report: Report) {
  await using cleanups = new AsyncDisposableStack();
  const folder = makeWorkFolder(cleanups);
  const { publish } = await startStaticProduct(cleanups, folder);
  const ratios = { first: [] as number[], second: [] as number[] };
  for (let round = 0; round < warmUps + rounds; round++) {
    const { first, second } = await compareOnce(join(folder, `round${round}`), publish);
    if (round < warmUps) continue;
    ratios.first.push(first);
    ratios.second.push(second);
  }
  const links = "rsync -a --link-dest, then an atomic symlink switch";
  report({ name: "first deploy", peer: "rsync -a", measure: "time", ratios: ratios.first });
  report({ name: "deploy with 1 % of the files changed", peer: links, measure: "time", ratios: ratios.second });
}

async function compareOnce(folder: string, publish: Publish) {
  const [site, copy, nextCopy, live] = ["site", "copy", "nextCopy", "live"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
    string,
  ];
  await writeFiles(site, fileCount);
  const first = (await timed(() => publish(site))) / (await timed(() => run("rsync", ["-a", `${site}/`, `${copy}/`])));
  await run("ln", ["-s", copy, live]);

  await writeFiles(site, fileCount / 100);
  const ours = await timed(() => publish(site));
  const peer = await timed(async () => {
    await run("rsync", ["-a", `--link-dest=${copy}`, `${site}/`, `${nextCopy}/`]);
    await run("ln", ["-s", nextCopy, `${live}.new`]);
    await run("mv", ["-T", `${live}.new`, live]);
  });
  return { first, second: ours / peer };
}

/** Writes the first `count` files anew, and waits until the disk is idle. */
async function writeFiles(site: string, count: number) {
  for (let index = 0; index < count; index++) {
    const folder = join(site, `${index % 20}`);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, `file${index}.bin`), randomBytes(fileBytes));
  }
  execFileSync("sync");
  await pause(3000);
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
