import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFpm } from "@nido/server/wordpress/native/findFpm";
import type { WhenDone } from "./database.ts";

export { findFpm };

const helper = resolve(import.meta.dirname, "../../../apps/server/src/wordpress/native/helper.ts");

/** Why the native runtime cannot be tried on this machine; undefined where it can. */
export function whyNotNative(): string | undefined {
  if (process.getuid?.() !== 0) return "it needs root";
  const missing = ["/usr/sbin/mariadbd", "/usr/bin/bwrap"].filter((path) => !existsSync(path));
  if (!findFpm()) missing.push("php-fpm");
  return missing.length > 0 ? `${missing.join(", ")} is missing` : undefined;
}

/** A MariaDB and the helper, both of this test's own. Returns the settings of a product that uses them. */
export async function startNative(whenDone: WhenDone, group = "root") {
  // Where the sites' users may go: not below a temporary folder of mode 0700.
  const folder = mkdtempSync("/var/lib/nido-native-");
  chmodSync(folder, 0o711);
  const [dataDir, runDir] = [join(folder, "data"), join(folder, "run")];
  mkdirSync(dataDir, { mode: 0o711 });
  const socket = await startMariaDb(folder, whenDone);
  const child = spawn(
    process.execPath,
    [helper, "--data", dataDir, "--run", runDir, "--group", group, "--mariadb", socket],
    {
      stdio: ["ignore", "pipe", "inherit"],
    },
  );
  await once(child.stdout, "data");
  whenDone(async () => {
    child.kill();
    await once(child, "close");
    for (const pid of readdirSync("/proc").map(Number)) {
      // So that it ends its own children, too.
      if (pid > 1 && isPhpIn(pid, runDir)) process.kill(pid, "SIGTERM");
    }
  });
  return { folder, runDir, socket, env: { WORDPRESS_RUNTIME: "native", DATA_DIR: dataDir, RUN_DIR: runDir } };
}

/** Whether a process is a site's PHP of this test's own helper. */
function isPhpIn(pid: number, runDir: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(join(runDir, "php"));
  } catch {
    return false;
  }
}

async function startMariaDb(folder: string, whenDone: WhenDone): Promise<string> {
  const data = join(folder, "mariadb");
  const socket = join(folder, "mysqld", "mysqld.sock");
  for (const path of [data, join(folder, "mysqld")]) mkdirSync(path);
  execFileSync("chown", ["mysql:mysql", data, join(folder, "mysqld")]);
  execFileSync(
    "mariadb-install-db",
    [
      "--no-defaults",
      "--user=mysql",
      `--datadir=${data}`,
      "--auth-root-authentication-method=socket",
      "--skip-test-db",
    ],
    { stdio: "ignore" },
  );
  const options = ["--skip-networking", "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=64M"];
  const server = spawn(
    "/usr/sbin/mariadbd",
    ["--no-defaults", "--user=mysql", `--datadir=${data}`, `--socket=${socket}`, `--pid-file=${data}/pid`, ...options],
    { stdio: "ignore" },
  );
  whenDone(async () => {
    server.kill("SIGKILL");
    await once(server, "close");
    rmSync(folder, { recursive: true, force: true });
  });
  for (let waited = 0; waited < 30_000; waited += 50) {
    const isUp = await new Promise((answer) => {
      const probe = connect(socket);
      probe.once("connect", () => answer(true)).once("error", () => answer(false));
      probe.once("connect", () => probe.destroy());
    });
    if (isUp) return socket;
    await pause(50);
  }
  throw new Error("MariaDB did not start");
}
