// The PHP host process: runs PHP for all sites, a thread for each. EmbeddedRuntime starts it with the path of the unix
// socket that it listens on. It ends with its parent.
import { statSync, writeFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { setPriority, totalmem } from "node:os";
import { join } from "node:path";
import { callHeader, faultHeader, type HostCall } from "./HostCall.ts";
import { PhpFault, SiteThread } from "./SiteThread.ts";

const threadMemory = 190 * 2 ** 20;
const maxWarmThreads = Math.max(4, Math.floor(totalmem() / 2 / threadMemory));
const idleTimeout = 15 * 60_000;
const idleCheckInterval = 60_000;
const maxLogBytes = 2 ** 20;
const maxHeldBytes = 2 ** 29;
const maxUnreadBytes = 2 ** 26;
let heldBytes = 0;

const threads = new Map<string, SiteThread>();

process.on("disconnect", () => process.exit());
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => undefined); // the parent decides when to stop
setPriority(5);
setInterval(stopIdle, idleCheckInterval).unref();
// The parent keeps connections open: if they were closed here, it could send a request on one that is just being closed.
createServer(
  { maxHeaderSize: 2 ** 16, keepAliveTimeout: 0 },
  (request, response) => void answer(request, response),
).listen(process.argv[2], () => process.send?.("listening"));

async function answer(request: IncomingMessage, response: ServerResponse) {
  const { [callHeader]: header, ...headers } = request.headers;
  const call: HostCall = JSON.parse(Buffer.from(String(header), "base64url").toString());
  if (call.stop) {
    await stopThread(call.siteId, call.copy).catch(() => response.writeHead(500));
    response.end();
    return;
  }
  const left = new AbortController();
  if (call.endsWithReader) response.once("close", () => left.abort());
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
      signal: left.signal,
      onHead: (status, head) => response.writeHead(status, withoutFraming(head)),
      onChunk: (chunk) => {
        response.write(chunk);
        if (response.writableLength > maxUnreadBytes) throw new Error("the client does not read the response");
      },
    });
    if (errors) logErrors(call.boot.site, errors);
    response.end();
  } catch (error) {
    const fault = error instanceof PhpFault ? error.fault : "broken";
    if (response.headersSent) response.destroy();
    else response.writeHead(503, { [faultHeader]: fault }).end();
  } finally {
    heldBytes -= body.length;
  }
}

/**
 * Reads a whole body, because PHP needs it whole. The bodies of all sites together are limited; each counts until its
 * request is answered.
 */
async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of request) {
      chunks.push(chunk);
      size += chunk.length;
      heldBytes += chunk.length;
      if (heldBytes > maxHeldBytes) throw new Error("too many uploads at once");
    }
    return Buffer.concat(chunks);
  } catch (error) {
    heldBytes -= size;
    throw error;
  }
}

/** Removes framing headers: with a false Content-Length, a site could smuggle bytes into another site's response. */
function withoutFraming(head: Record<string, string[]>): Record<string, string[]> {
  const ours = /^(content-length|transfer-encoding|connection|keep-alive|upgrade|trailer)$/i;
  const entries = Object.entries(head).filter(([name]) => !ours.test(name.trim()));
  return Object.fromEntries(
    entries.map(([name, values]) => [name, values.map((value) => Buffer.from(value).toString("latin1"))]),
  );
}

/** Appends PHP's errors to the site's log, which starts over when it is full. */
function logErrors(folder: string, errors: string) {
  const file = join(folder, "php.log");
  const isFull = (statSync(file, { throwIfNoEntry: false })?.size ?? 0) > maxLogBytes;
  writeFileSync(file, `${new Date().toISOString()} ${errors.slice(0, 4000)}\n`, { flag: isFull ? "w" : "a" });
}

/** The site's thread. If there are too many, the least recently used idle ones are stopped. */
function threadOf(siteId: string): SiteThread {
  const thread = threads.get(siteId) ?? new SiteThread();
  // A Map keeps insertion order: the last key is the most recently used.
  threads.delete(siteId);
  threads.set(siteId, thread);
  const idle = [...threads].filter(([id, { isIdle }]) => isIdle && id !== siteId);
  for (const [id] of idle.slice(0, Math.max(threads.size - maxWarmThreads, 0))) void stopThread(id);
  return thread;
}

function stopIdle() {
  for (const [id, { isIdle, lastUsed }] of threads)
    if (isIdle && Date.now() - lastUsed > idleTimeout) void stopThread(id);
}

async function stopThread(siteId: string, copy?: HostCall["copy"]) {
  const thread = threads.get(siteId) ?? new SiteThread();
  threads.set(siteId, thread);
  await thread.stop(async () => {
    if (copy) await copyFile(copy.from, copy.to);
  });
  if (thread.isIdle && threads.get(siteId) === thread) threads.delete(siteId);
}
