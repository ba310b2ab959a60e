// The process in which PHP runs for all sites, a thread each, apart from the dashboard's own. Started by
// EmbeddedRuntime with the path of the socket that it answers on; ends with the process that started it.
import { statSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setPriority, totalmem } from "node:os";
import { join } from "node:path";
import { callHeader, faultHeader, type HostCall } from "./HostCall.ts";
import { PhpFault, SiteThread } from "./SiteThread.ts";

const threadMemory = 190 * 2 ** 20;
const mostWarm = Math.max(4, Math.floor(totalmem() / 2 / threadMemory));
const idleLimit = 15 * 60_000;
const aMinute = 60_000;
const mostNoted = 2 ** 20;
const mostHeld = 2 ** 29;
const mostUnread = 2 ** 26;
let held = 0;

const threads = new Map<string, SiteThread>();

process.on("disconnect", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined); // the parent's to decide
setPriority(5);
setInterval(restIdle, aMinute).unref();
createServer({ maxHeaderSize: 2 ** 16 }, (request, response) => void answer(request, response)).listen(
  process.argv[2],
  () => process.send?.("listening"),
);

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { [callHeader]: header, ...headers } = request.headers;
  const call: HostCall = JSON.parse(Buffer.from(String(header), "base64url").toString());
  if (call.rest) {
    await rest(call.siteId, call.copy).catch(() => response.writeHead(500));
    response.end();
    return;
  }
  const body = await readBody(request).catch(() => undefined);
  if (!body) return void response.writeHead(503, { [faultHeader]: "busy" }).end();
  const job = {
    method: request.method ?? "GET",
    url: request.url ?? "/",
    headers: headers as Record<string, string>,
    body: body.length > 0 ? new Uint8Array(body) : undefined,
    scriptPath: call.scriptPath,
    server: call.server,
  };
  try {
    const errors = await threadOf(call.siteId).run(call.boot, job, call.timeLimit, {
      onHead: (status, head) => response.writeHead(status, cleaned(head)),
      onChunk: (chunk) => {
        response.write(chunk);
        if (response.writableLength > mostUnread) throw new Error("nobody takes what PHP writes");
      },
    });
    if (errors) noteErrors(call.boot.site, errors);
    response.end();
  } catch (error) {
    const fault = error instanceof PhpFault ? error.fault : "broken";
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { [faultHeader]: fault }).end();
  } finally {
    held -= body.length;
  }
}

/**
 * PHP takes a request as a whole. Of all sites together no more is held than this machine can bear: what is read
 * counts until it is answered.
 */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      chunks.push(chunk);
      size += chunk.length;
      held += chunk.length;
      if (held > mostHeld) throw new Error("too much is being uploaded");
    }
    return Buffer.concat(chunks);
  } catch (error) {
    held -= size;
    throw error;
  }
}

/** Where an answer ends is ours to say: a length that PHP made up could pass its own bytes for another site's answer. */
function cleaned(head: Record<string, string[]>): Record<string, string[]> {
  const ours = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|trailer)$/i;
  const entries = Object.entries(head).filter(([name]) => !ours.test(name.trim()));
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.map((value) => Buffer.from(value).toString("latin1"))]),
  );
}

/** What PHP complained about, for whoever looks after the site; the latest only. */
function noteErrors(folder: string, errors: string) {
  const file = join(folder, "php.log");
  const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > mostNoted;
  writeFileSync(file, `${new Date().toISOString()} ${errors.slice(0, 4000)}\n`, { flag: isFull ? "w" : "a" });
}

/** The site's thread. Where there are too many, the one that was not needed for the longest goes to rest. */
function threadOf(siteId: string): SiteThread {
  const thread = threads.get(siteId) ?? new SiteThread();
  // Last in the map is last used.
  threads.delete(siteId);
  threads.set(siteId, thread);
  const idle = [...threads].filter(([id, { isIdle }]) => isIdle && id !== siteId);
  for (const [id] of idle.slice(0, Math.max(threads.size - mostWarm, 0))) void rest(id);
  return thread;
}

function restIdle() {
  for (const [id, { isIdle, lastUsed }] of threads) if (isIdle && Date.now() - lastUsed > idleLimit) void rest(id);
}

async function rest(siteId: string, copy?: HostCall["copy"]) {
  const thread = threads.get(siteId) ?? new SiteThread();
  threads.set(siteId, thread);
  await thread.rest(async () => {
    if (copy) await copyFile(copy.from, copy.to);
  });
  if (thread.isIdle && threads.get(siteId) === thread) threads.delete(siteId);
}
