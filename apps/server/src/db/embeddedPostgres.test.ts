import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { startEmbeddedPostgres } from "./embeddedPostgres.ts";

const isRoot = process.getuid?.() === 0;

function dataFolder(mode = 0o711): string {
  const folder = mkdtempSync(join(tmpdir(), "nido-pg-"));
  chmodSync(folder, mode);
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

async function query(url: string, text: string) {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(text);
  await client.end();
  return rows;
}

const start = (folder: string) => startEmbeddedPostgres(folder, { fsync: "off" });

/** Starts PostgreSQL from another process, which is then killed. Returns PostgreSQL's process id. */
async function startAndKill(folder: string): Promise<number> {
  const program = `
    import { startEmbeddedPostgres } from ${JSON.stringify(join(import.meta.dirname, "embeddedPostgres.ts"))};
    await startEmbeddedPostgres(${JSON.stringify(folder)}, { fsync: "off" });
    console.log("up");
    setInterval(() => {}, 1000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(child.stdout, "data");
  child.kill("SIGKILL");
  await once(child, "close");
  return Number(readFileSync(join(folder, "database/postmaster.pid"), "utf8").split("\n")[0]);
}

/** Whether the process runs. A zombie does not. */
function isRunning(pid: number): boolean {
  try {
    return /^State:\s+[^Z]/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
  } catch {
    return false;
  }
}

test("embedded PostgreSQL keeps its data from one start to the next", async () => {
  const folder = dataFolder();
  const first = await start(folder);
  await query(first.url, "create table kept as select 42 as answer");
  await first.stop();
  const second = await start(folder);
  expect(await query(second.url, "select answer from kept")).toEqual([{ answer: 42 }]);
  await second.stop();
});

test("after kill -9 (SIGKILL), the orphaned PostgreSQL is stopped and a new one is started", async () => {
  const folder = dataFolder();
  const left = await startAndKill(folder);
  expect(isRunning(left)).toBe(true);
  const postgres = await start(folder);
  expect(isRunning(left)).toBe(false);
  expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await postgres.stop();
});

test("a stale postmaster.pid is ignored if its process is gone or is another program", async () => {
  const folder = dataFolder();
  await (await start(folder)).stop();
  for (const pid of [2 ** 22 - 1, process.pid]) {
    writeFileSync(join(folder, "database/postmaster.pid"), `${pid}\n${folder}/database\n0\n0\n\n\n0 0\nready\n`);
    const postgres = await start(folder);
    expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
    await postgres.stop();
  }
});

test("an interrupted initialisation is started over", async () => {
  const folder = dataFolder();
  for (const leftover of ["database.new", "postgres-0.new"]) {
    mkdirSync(join(folder, leftover));
    writeFileSync(join(folder, leftover, "half"), "");
  }
  const postgres = await start(folder);
  expect(await query(postgres.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await postgres.stop();
});

test("a DATA_DIR in use by another running Nido is refused", async () => {
  const folder = dataFolder();
  const first = await start(folder);
  await expect(start(folder)).rejects.toThrow(`DATA_DIR=${folder} is in use by another running Nido`);
  expect(await query(first.url, "select 1 as one")).toEqual([{ one: 1 }]);
  await first.stop();
});

test("a DATA_DIR whose path is too long for a unix socket is refused by name", async () => {
  const folder = join(dataFolder(), "x".repeat(80));
  await expect(start(folder)).rejects.toThrow(`DATA_DIR=${folder} is too long`);
});

test("a DATA_DIR that cannot be created is refused by name", async () => {
  const folder = dataFolder();
  writeFileSync(join(folder, "file"), "");
  await expect(startEmbeddedPostgres(join(folder, "file/data"))).rejects.toThrow(
    `DATA_DIR=${folder}/file/data cannot be written`,
  );
});

test.runIf(isRoot)("as root, a DATA_DIR that only root can enter is refused by name", async () => {
  const closed = dataFolder(0o700);
  await expect(startEmbeddedPostgres(join(closed, "data"))).rejects.toThrow(
    `DATA_DIR=${closed}/data cannot be reached`,
  );
});
