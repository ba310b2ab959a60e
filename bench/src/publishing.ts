import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { printRatio } from "./ratio.ts";
import { startStaticProduct } from "./startStaticProduct.ts";

const run = promisify(execFile);
const [port, sandboxPort] = [3914, 3915];
const rounds = 10;
/**
 * Rounds that do not count: a server that has run for a while has compiled what it does. And ext4 passes over the
 * inodes of files that were removed in the last minute, as a product does that has just been set up.
 */
const warmUps = 5;
const [fileCount, fileSize] = [1000, 50_000];

/** Publishing 1,000 files of 50 MB together, and again with one in a hundred changed, against rsync on the same disk. */
export async function benchPublishing() {
  if (!existsSync("/usr/bin/rsync")) return console.log("Skipped: publishing, because rsync is missing.");
  console.log("\nPublishing 1,000 files, 50 MB, over loopback, as time against rsync on the same disk");
  const folder = `/var/lib/nido-bench-${process.pid}`;
  mkdirSync(folder, { mode: 0o711 });
  const product = await startStaticProduct(folder, port, { SANDBOX_PORT: String(sandboxPort) });
  try {
    const times = { first: [] as number[], again: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const site = join(folder, `site${round}`);
      write(site, 0, fileCount);
      await pause(3000);
      const [one, two, live] = ["one", "two", "live"].map((name) => join(folder, `copy${round}-${name}`));
      const ours = await timed(() => product.publish(site));
      const copy = await timed(() => run("rsync", ["-a", `${site}/`, `${one}/`]));
      if (round >= warmUps) times.first.push(ours / copy);
      execFileSync("ln", ["-sfn", one as string, live as string]);

      write(site, 0, fileCount / 100);
      await pause(3000);
      const again = await timed(() => product.publish(site));
      const peer = await timed(async () => {
        await run("rsync", ["-a", `--link-dest=${one}`, `${site}/`, `${two}/`]);
        await run("ln", ["-s", two as string, `${live}.new`]);
        await run("mv", ["-T", `${live}.new`, live as string]);
      });
      if (round >= warmUps) times.again.push(again / peer);
    }
    printRatio("first publication", "rsync -a", times.first);
    printRatio("one in a hundred changed", "rsync -a --link-dest, then the link", times.again);
  } finally {
    await product.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

function write(site: string, from: number, to: number) {
  for (let index = from; index < to; index++) {
    const file = join(site, `${index % 20}`, `file${index}.bin`);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, randomBytes(fileSize));
  }
  execFileSync("sync");
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return performance.now() - began;
}
