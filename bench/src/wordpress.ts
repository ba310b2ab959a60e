import { execFile } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import { startNative, whyNotNative } from "@nido/test-kit/native";
import { openSeed } from "@nido/test-kit/seed";
import { provideCore } from "@nido/test-kit/testCore";
import { startPeer } from "./nginxPeer.ts";
import { median, printRatio } from "./ratio.ts";
import { startProgram } from "./startProgram.ts";

const run = promisify(execFile);
const root = resolve(import.meta.dirname, "../..");
const [port, sandboxPort, embeddedPort, embeddedSandboxPort] = [3910, 3911, 3912, 3913];
const rounds = 5;

export async function benchWordPress() {
  const reason =
    whyNotNative() ??
    (existsSync("/usr/bin/wrk") && existsSync("/usr/sbin/nginx") ? undefined : "wrk or nginx is missing");
  if (reason) return console.log(`Skipped: WordPress, because ${reason}.`);
  const undos: (() => Promise<void>)[] = [];
  const whenDone = (undo: () => Promise<void>) => void undos.unshift(undo);
  try {
    await provideCore();
    const native = await startNative(whenDone);
    const site = await openProduct({ ...native.env, PORT: String(port), SANDBOX_PORT: String(sandboxPort) }, whenDone);
    const peer = await startPeer(native.folder, native.socket, whenDone);
    const ours = { host: `bench0.localhost:${port}`, port };

    console.log("\nAnonymous home page, gzip, as requests a second; nginx with one worker, as this is one process");
    const page = { path: "/", headers: { "accept-encoding": "gzip" } };
    await compare("edge", ours, "nginx, fastcgi_cache, gzip on the fly", peer.onTheFly, page);
    await compare("edge", ours, "nginx, fastcgi_cache, gzip stored", peer.stored, page);

    console.log("\nUncached page, native runtime, as requests a second");
    const uncached = { path: "/?s=hola", headers: {} };
    await compare("native", ours, "nginx, PHP-FPM, MariaDB", peer.plain, uncached);

    console.log("\nNative provisioning, as time against copying core and running wp_install, which shows no page");
    const times: { installed: number; done: number; peer: number }[] = [];
    for (let round = 0; round < rounds; round++) {
      const made = await site.provision(`bench${round + 1}`);
      times.push({ ...made, peer: await peer.install(`peer${round}`) });
    }
    const peerName = "copy and wp_install";
    const shares = (part: "installed" | "done") => times.map((time) => time[part] / time.peer);
    printRatio("native, installed", peerName, shares("installed"));
    printRatio("native, installed, its PHP started and both pages seen", peerName, shares("done"));

    const folder = join(native.folder, "embedded");
    const embedded = await openProduct(
      { DATA_DIR: folder, PORT: String(embeddedPort), SANDBOX_PORT: String(embeddedSandboxPort) },
      whenDone,
    );
    console.log("\nEmbedded runtime, in the same run");
    const made = [];
    for (let round = 1; round <= 3; round++) made.push((await embedded.provision(`bench${round}`)).done);
    const ourTime = median(times.map(({ done }) => done));
    console.log(`  provisioning: ${(median(made) / ourTime).toFixed(1)} times the native one's time`);
    const theirs = { host: `bench0.localhost:${embeddedPort}`, port: embeddedPort };
    const [slow, fast] = [await load(theirs, uncached, 1), await load(ours, uncached, 1)];
    console.log(`  warm page: ${(fast / slow).toFixed(1)} times the native one's time`);
  } finally {
    for (const undo of undos) await undo();
  }
}

/** A product with one site, bench0, and a way to make more. */
async function openProduct(env: Record<string, string>, whenDone: (undo: () => Promise<void>) => void) {
  const product = await startProgram(join(root, "scripts/start.ts"), env, "Ctrl-C stops it.");
  whenDone(async () => {
    await product.stop();
    rmSync(env["DATA_DIR"] ?? "", { recursive: true, force: true });
  });
  const databaseUrl = `postgres://nido@/nido?host=${encodeURIComponent(join(env["DATA_DIR"] ?? "", "run"))}`;
  const seed = await openSeed(databaseUrl, "demo@nido.example");
  whenDone(seed.close);
  const provision = (name: string) => seed.makeWordPress(name);
  await provision("bench0");
  return { provision };
}

interface Server {
  host: string;
  port: number;
}
interface Page {
  path: string;
  headers: Record<string, string>;
}

async function compare(name: string, ours: Server, peerName: string, peer: Server, page: Page) {
  for (const server of [ours, peer]) {
    const { stdout } = await run("curl", [
      "-s",
      "-o",
      "/dev/null",
      "-w",
      "%{http_code} %{size_download}",
      ...headersOf(server, page),
      urlOf(server, page),
    ]);
    if (!stdout.startsWith("200 ")) throw new Error(`${server.host} answered ${stdout}`);
    await load(server, page, 8);
  }
  const ratios: number[] = [];
  for (let round = 0; round < rounds; round++) ratios.push((await load(ours, page, 8)) / (await load(peer, page, 8)));
  printRatio(name, peerName, ratios);
}

async function load(server: Server, page: Page, connections: number): Promise<number> {
  const { stdout } = await run("wrk", [
    "-t1",
    `-c${connections}`,
    "-d3",
    ...headersOf(server, page),
    urlOf(server, page),
  ]);
  if (/Non-2xx|Socket errors/.test(stdout)) throw new Error(`${server.host}: ${stdout}`);
  return Number(/Requests\/sec:\s+([\d.]+)/.exec(stdout)?.[1]);
}

function headersOf({ host }: Server, { headers }: Page): string[] {
  return Object.entries({ Host: host, ...headers }).flatMap(([name, value]) => ["-H", `${name}: ${value}`]);
}

function urlOf({ port: number }: Server, { path }: Page): string {
  return `http://127.0.0.1:${number}${path}`;
}
