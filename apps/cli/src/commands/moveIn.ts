import { closeSync, openSync, readSync, statSync, writeFileSync } from "node:fs";
import { basename } from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as pause } from "node:timers/promises";
import { type MoveIn, type MoveInReport, moveInPartBytes } from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Context } from "../Context.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { ask, findSite, showStaging, work } from "../siteCalls.ts";

const path = "/move-in";
const pollMs = 3000;
const sshPort = "22";
const pluginFile = "nido-move.zip";

/** Sends the archive of another WordPress, or copies it from its address, and says what is in it. */
export async function moveIn(context: Context, source: string, options: Options) {
  const { t, terminal } = context;
  const { yes = false } = options;
  if (statSync(source, { throwIfNoEntry: false })?.isFile()) await sendArchive(context, source);
  else if (/\.(zip|tar|tgz|gz)$/i.test(source))
    throw new Failure(`${t.fileFaults["ENOENT"]} ${source}`, exitCodes.usage);
  else await copySite(context, source, options);
  const { name, report } = await awaitReport(context);
  terminal.endBar();
  const lines = [name, ...t.wp.moveIn.facts(report).map((fact) => fact.join("\t"))].join("\n");
  if (yes) terminal.say(lines);
  else terminal.result(lines, report);
  if (report.needless.length > 0) terminal.say(t.wp.moveIn.needless(report.needless.join(", ")));
  if (yes) return startMoveIn(context);
  terminal.say(t.wp.moveIn.next);
}

/** Makes the staging copy from what was sent or copied. */
export async function startMoveIn(context: Context) {
  const { t, terminal } = context;
  await work(context, "moveIn", `${path}/start`);
  const { upload } = await ask<MoveIn>(context, "GET", path);
  const failed = upload?.report?.failed ?? [];
  if (failed.length > 0) terminal.warn(t.wp.moveIn.failed(failed.join(", ")));
  await showStaging(context);
}

export async function discardMoveIn(context: Context) {
  await ask(context, "DELETE", path);
  context.terminal.succeed(context.t.wp.moveIn.discarded);
}

/** Saves the plugin that makes another WordPress readable. */
export async function saveMovePlugin(context: Context) {
  const { id } = await findSite(context);
  const plugin = await context.signedIn().download(`/sites/${id}${path}/plugin`);
  writeFileSync(pluginFile, plugin);
  context.terminal.say(context.t.wp.moveIn.plugin);
  context.terminal.result(pluginFile, { file: pluginFile });
}

async function copySite(context: Context, url: string, { user, sftp }: Options) {
  if (sftp !== undefined) {
    const [, name = "", host = "", port = sshPort] = /^(.+)@([^@:]+|\[[\da-f:.]+\])(?::(\d{1,5}))?$/i.exec(sftp) ?? [];
    if (!host) throw new Failure(context.t.wp.moveIn.sftp(sftp), exitCodes.usage);
    const password = await askPassword(context, context.t.wp.moveIn.sftpPassword(sftp));
    const account = { host: host.replace(/^\[|\]$/g, ""), port: Number(port), user: name, password };
    return ask(context, "POST", `${path}/source`, { url, sftp: account });
  }
  if (!user) throw new Failure(context.t.promptNeeded("--user"), exitCodes.promptNeeded);
  const password = await askPassword(context, context.t.wp.moveIn.password(user));
  return ask(context, "POST", `${path}/source`, { url, user, password });
}

async function askPassword({ t, terminal }: Context, question: string): Promise<string> {
  // Typed or piped in: an argument would stay in the shell's history.
  const ways = { typed: () => terminal.prompt(question), piped: () => text(process.stdin) };
  const password = (await ways[terminal.isInteractive ? "typed" : "piped"]())?.trim();
  if (!password) throw new Failure(terminal.isInteractive ? t.cancelled : t.passwordMissing, exitCodes.usage);
  return password;
}

/** In parts. What has arrived before, of the same file, is not sent again. */
async function sendArchive(context: Context, file: string) {
  const { size, mtimeMs } = statSync(file);
  const [name, modified] = [basename(file), Math.floor(mtimeMs)];
  const { upload } = await ask<MoveIn>(context, "GET", path);
  const isSame = upload?.name === name && upload.size === size && upload.modified === modified && !upload.problem;
  if (!isSame) await ask(context, "POST", path, { name, size, modified });
  const opened = openSync(file, "r");
  try {
    for (let start = isSame ? upload.received : 0; start < size; ) {
      context.terminal.progress(context.t.wp.moveIn.sending, start / size);
      const part = Buffer.alloc(Math.min(moveInPartBytes, size - start));
      if (readSync(opened, part, 0, part.length, start) < part.length)
        throw new Failure(context.t.wp.moveIn.changed(file));
      await sendPart(context, start, part);
      start += part.length;
    }
  } finally {
    closeSync(opened);
  }
}

async function sendPart(context: Context, start: number, part: Buffer) {
  const { id } = await findSite(context);
  const body = { length: part.length, open: () => part };
  try {
    await context.signedIn().sendFiles("PUT", `/sites/${id}${path}/${start}`, body, "application/octet-stream");
  } catch (error) {
    // The part has arrived, but not the answer to its first attempt.
    const { upload } = await ask<MoveIn>(context, "GET", path);
    if (!(error instanceof ApiError) || upload?.received !== start + part.length) throw error;
  }
}

async function awaitReport(context: Context): Promise<{ name: string; report: MoveInReport }> {
  const { t, terminal } = context;
  for (;;) {
    const { upload } = await ask<MoveIn>(context, "GET", path);
    if (!upload) throw new Failure(t.wp.moveIn.discarded);
    const { name, size, received, report, problem, isCopying } = upload;
    if (problem) throw new ApiError(problem);
    if (report) return { name, report };
    // The size of a site that is being copied is an estimate.
    if (isCopying) terminal.progress(t.wp.moveIn.copying(name), Math.min(received / Math.max(size, 1), 0.99));
    else terminal.progress(t.wp.moveIn.looking(name), 1);
    await pause(pollMs);
  }
}
