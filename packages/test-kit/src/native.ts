import { execFileSync, spawnSync } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { findFpm } from "@nido/server/wordpress/native/findFpm";
import type { WhenDone } from "./database.ts";
import { isLong } from "./long.ts";
import { startProgram } from "./startProgram.ts";
import { waitUntil } from "./waitUntil.ts";

export { findFpm };

const logSize = "--innodb-log-file-size=16M";
const installOptions = [logSize, "--auth-root-authentication-method=socket", "--skip-test-db"];
const program = resolve(import.meta.dirname, "../../../apps/server/src/wordpress/native/siteManagerProcess.ts");

/** Why the native runtime cannot be tried on this machine; undefined where it can. */
export function whyNotNative(): string | undefined {
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = ["/usr/sbin/mariadbd", "/usr/bin/bwrap"].filter((path) => !existsSync(path));
  if (!findFpm()) missing.push("php-fpm");
  return missing.length > 0 ? `${missing.join(", ")} is missing` : undefined;
}

export type TestedRuntime = "embedded" | "native";

/**
 * The runtimes on which a test tries what is the same on both. PHP as WebAssembly is slow, so `npm test` leaves that
 * runtime to `npm run test:long` where it can try the native one.
 */
export function testedRuntimes(what: string): TestedRuntime[] {
  const reason = whyNotNative();
  if (reason) console.log(`Skipped: ${what} on the native runtime, because ${reason}.`);
  else if (!isLong) console.log(`Skipped: ${what} on the embedded runtime, because only npm run test:long tries both.`);
  if (reason) return ["embedded"];
  return isLong ? ["embedded", "native"] : ["native"];
}

/** The settings of a product on this runtime. */
export async function settingsOf(runtime: TestedRuntime, whenDone: WhenDone): Promise<Record<string, string>> {
  return runtime === "native" ? (await startNative(whenDone)).env : {};
}

/** Starts MariaDB and the site manager for the calling test. Returns the settings of a product that uses them. */
export async function startNative(whenDone: WhenDone, { user = "root", group = "root", isQuiet = false } = {}) {
  // The users of the sites must be able to enter it, so it is not below a temporary folder of mode 0700.
  const folder = mkdtempSync("/var/lib/nido-native-");
  chmodSync(folder, 0o711);
  const [dataDir, runDir] = [join(folder, "data"), join(folder, "run")];
  mkdirSync(dataDir, { mode: 0o711 });
  const socket = await startMariaDb(folder, whenDone);
  const options = ["--data", dataDir, "--run", runDir, "--user", user, "--group", group, "--mariadb", socket];
  const manager = startProgram(process.execPath, [program, ...options]);
  if (!isQuiet) manager.child.stderr.pipe(process.stderr);
  await manager.waitForOutput(/listen/);
  whenDone(async () => {
    await manager.stop();
    // SIGTERM, so that each PHP-FPM master ends its own children.
    for (const pid of readdirSync("/proc").map(Number)) if (pid > 1 && isPhpIn(pid, runDir)) process.kill(pid);
    for (const site of readdirSync(join(dataDir, "sites"))) unmount(join(dataDir, "sites", site));
  });
  return { folder, runDir, socket, env: { WORDPRESS_RUNTIME: "native", DATA_DIR: dataDir, RUN_DIR: runDir } };
}

/** Unmounts a site's disk, if it has one. */
function unmount(folder: string) {
  spawnSync("umount", ["--lazy", folder], { stdio: "ignore" });
}

/** Whether a process is a site's PHP-FPM that runs in this folder. */
function isPhpIn(pid: number, runDir: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(join(runDir, "php"));
  } catch {
    return false;
  }
}

/** Makes the data folder of a MariaDB. It is copied from the first one, because making one takes longer than starting it. */
function makeData(data: string, temporary: string) {
  const version = execFileSync("/usr/sbin/mariadbd", ["--version"], { encoding: "utf8" });
  const key = createHash("sha256")
    .update([version, ...installOptions].join(" "))
    .digest("hex")
    .slice(0, 8);
  const kept = resolve(import.meta.dirname, "../../../.tools", `mariadb-${key}`);
  const copy = (from: string, to: string) => execFileSync("cp", ["-a", "--sparse=always", from, to]);
  const own = () => execFileSync("chown", ["-R", "mysql:mysql", data]);
  if (existsSync(kept)) {
    copy(kept, data);
    return own();
  }
  mkdirSync(data);
  own();
  const account = ["--no-defaults", "--user=mysql", `--datadir=${data}`];
  execFileSync("mariadb-install-db", [...account, ...installOptions, temporary], { stdio: "ignore" });
  const mine = `${kept}.${randomUUID()}`;
  copy(data, mine);
  try {
    renameSync(mine, kept);
  } catch {
    // Another test was faster.
    rmSync(mine, { recursive: true });
  }
}

async function startMariaDb(folder: string, whenDone: WhenDone): Promise<string> {
  const data = join(folder, "mariadb");
  const socket = join(folder, "mysqld", "mysqld.sock");
  mkdirSync(join(folder, "mysqld"));
  execFileSync("chown", ["mysql:mysql", join(folder, "mysqld")]);
  // Each its own: at its start, a server removes what others have in it.
  const temporary = `--tmpdir=${join(folder, "mysqld")}`;
  makeData(data, temporary);
  const files = [`--datadir=${data}`, `--socket=${socket}`, `--pid-file=${data}/pid`];
  const options = [
    logSize,
    temporary,
    "--skip-networking",
    "--innodb-flush-log-at-trx-commit=0",
    "--innodb-buffer-pool-size=64M",
  ];
  const server = startProgram("/usr/sbin/mariadbd", ["--no-defaults", "--user=mysql", ...files, ...options]);
  whenDone(async () => {
    await server.stop("SIGKILL");
    rmSync(folder, { recursive: true, force: true });
  });
  await waitUntil(
    "MariaDB accepts connections",
    async () => ({ isUp: await canConnect(socket), log: server.output(), exitCode: server.child.exitCode }),
    ({ isUp, log, exitCode }) => {
      if (exitCode !== null) throw new Error(`MariaDB exited with ${exitCode}:\n${log}`);
      return isUp;
    },
  );
  return socket;
}

function canConnect(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(path);
    probe.once("error", () => resolve(false));
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
  });
}
