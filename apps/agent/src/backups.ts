import { spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { ServerResponse } from "node:http";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import { text } from "node:stream/consumers";
import { finished, pipeline } from "node:stream/promises";
import { readUntrusted } from "@nido/server/platform/openUntrusted";
import { inPod } from "@nido/server/wordpress/kubernetes/agentProtocol";
import { packSite } from "@nido/server/wordpress/packSite";
import { folders } from "./folders.ts";

const dumpName = "database.sql";
const maxSettingsBytes = 2 ** 16;

/** The site's database, as its settings name it. */
function databaseAccess() {
  const { database } = JSON.parse(readFileSync(inPod.settings, "utf8"));
  const [host, port = "3306"] = database.host.split(":");
  const tls = database.tls ? "--ssl" : "--skip-ssl";
  return {
    args: ["--no-defaults", `--host=${host}`, `--port=${port}`, `--user=${database.name}`, tls],
    name: database.name as string,
    env: { PATH: process.env["PATH"], MYSQL_PWD: database.password },
  };
}

export async function sendDatabase(response: ServerResponse) {
  await run("mariadb-dump", dumpArgs(), { output: response });
}

/** Sends the files and a consistent copy of the database. Files that the site has made unreadable are made readable. */
export async function sendBackup(response: ServerResponse) {
  const work = join(inPod.tmp, `backup-${crypto.randomUUID()}`);
  mkdirSync(join(work, "backup"), { recursive: true });
  try {
    // Files may disappear meanwhile. If one stays unreadable, tar fails.
    await run("chmod", { args: ["-R", "u+rwX", folders.content], env: process.env }, {}).catch(() => undefined);
    await run("mariadb-dump", dumpArgs(), { output: createWriteStream(join(work, "backup", dumpName)) });
    const { secrets } = JSON.parse(readFileSync(inPod.settings, "utf8"));
    writeFileSync(join(work, "site.json"), JSON.stringify({ secrets }));
    const archive = packSite({ root: inPod.site, settings: work, snapshot: work }, new AbortController().signal);
    await pipeline(archive, response);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

export async function importDatabase(dump: Readable) {
  const { args, name, env } = databaseAccess();
  // --sandbox: a line of the file could otherwise run a program.
  const initial = "--init-command=set max_statement_time=0";
  await run("mariadb", { args: [...args, "--sandbox", initial, name], env }, { input: dump });
}

export async function importBackupDatabase(archive: Readable) {
  const tar = spawn("tar", ["-xzO", `backup/${dumpName}`], { stdio: ["pipe", "pipe", "pipe"] });
  const errors = text(tar.stderr);
  const ended = once(tar, "close");
  await Promise.all([pipeline(archive, tar.stdin).catch(() => undefined), importDatabase(tar.stdout), ended]);
  if (tar.exitCode !== 0) throw new Error(`the backup has no database: ${await errors}`);
}

/** Reads a backup to its end. Fails if it is damaged, or lacks a part. */
export async function checkBackup(archive: Readable) {
  const parts = ["wp-content", "site.json", `backup/${dumpName}`];
  await run("tar", { args: ["-tz", ...parts], env: process.env }, { input: archive });
}

/** Replaces the site's files with those of a backup. Returns its settings. The volume has no room for both. */
export async function unpackFiles(archive: Readable): Promise<unknown> {
  for (const old of [folders.content, folders.pages, folders.nextCron]) rmSync(old, { recursive: true, force: true });
  // The site cannot write to this folder.
  const own = mkdtempSync(join(inPod.tmp, "settings-"));
  try {
    const parts = ["-C", inPod.site, "wp-content", "-C", own, "site.json"];
    const args = ["-xz", "--no-same-owner", "--no-same-permissions", ...parts];
    await run("tar", { args, env: process.env }, { input: archive });
    return JSON.parse(String(await readUntrusted(own, "site.json", maxSettingsBytes)));
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

function dumpArgs() {
  const { args, name, env } = databaseAccess();
  return { args: [...args, "--single-transaction", "--skip-comments", "--no-tablespaces", name], env };
}

interface Streams {
  input?: Readable;
  output?: Writable;
}

async function run(
  program: string,
  { args, env }: { args: string[]; env: NodeJS.ProcessEnv },
  { input, output }: Streams,
) {
  const child = spawn(program, args, { env });
  const closed = once(child, "close");
  const errors = text(child.stderr);
  // A program whose output nobody reads stops reading its input.
  const reading = output ? pipeline(child.stdout, output, { end: false }) : child.stdout.resume();
  // If the program fails, its exit code shows it.
  if (input) await pipeline(input, child.stdin).catch(() => undefined);
  else child.stdin.end();
  await reading;
  await closed;
  if (child.exitCode !== 0)
    throw new Error(`${program} failed: ${(await errors).trim().split("\n").at(-1) || child.signalCode}`);
  if (output) await finished(output.end());
}
