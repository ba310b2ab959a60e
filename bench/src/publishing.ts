import { execFile, execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, globSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { openSeed } from "@nido/server/testing/seed";
import { printRatio } from "./ratio.ts";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const [port, sandboxPort] = [3914, 3915];
const rounds = 7;
/** Rounds that do not count: a server that has run for a while has compiled what it does. */
const warmUps = 2;
const [fileCount, fileSize] = [1000, 50_000];

/** Publishing 1,000 files of 50 MB together, and again with one in a hundred changed, against rsync on the same disk. */
export async function benchPublishing() {
  if (!existsSync("/usr/bin/rsync")) return console.log("Skipped: publishing, because rsync is missing.");
  console.log("\nPublishing 1,000 files, 50 MB, over loopback, as time against rsync on the same disk");
  const folder = `/var/lib/nido-bench-${process.pid}`;
  const env = { DATA_DIR: join(folder, "data"), PORT: String(port), SANDBOX_PORT: String(sandboxPort) };
  mkdirSync(folder, { mode: 0o711 });
  const product = await startProgram(join(root, "scripts/start.ts"), env, "Ctrl-C stops it.");
  const databaseUrl = `postgres://nido@/nido?host=${encodeURIComponent(join(env.DATA_DIR, "run"))}`;
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  try {
    await seed.addProject("benchfolio", { recipe: "static_starter" });
    const token = await seed.giveToken();
    // It prepares WordPress in the background, which is not what is measured here.
    while (globSync(join(env.DATA_DIR, "wordpress/*/platform-*.sqlite")).length < 2) await pause(500);
    const times = { first: [] as number[], again: [] as number[] };
    for (let round = 0; round < rounds; round++) {
      const site = join(folder, `site${round}`);
      write(site, 0, fileCount);
      await pause(3000);
      const publish = () =>
        timed(() =>
          run(process.execPath, [join(root, "apps/cli/dist/nido.cjs"), "publish", site, "--project", "benchfolio"], {
            env: {
              PATH: process.env["PATH"],
              HOME: folder,
              NIDO_SERVER: `http://localhost:${port}`,
              NIDO_TOKEN: token,
            },
          }),
        );
      const [one, two, live] = ["one", "two", "live"].map((name) => join(folder, `copy${round}-${name}`));
      const ours = await publish();
      const copy = await timed(() => run("rsync", ["-a", `${site}/`, `${one}/`]));
      if (round >= warmUps) times.first.push(ours / copy);
      execFileSync("ln", ["-sfn", one as string, live as string]);

      write(site, 0, fileCount / 100);
      await pause(3000);
      const again = await publish();
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
    await seed.close();
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
