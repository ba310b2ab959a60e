import type { IncomingMessage, ServerResponse } from "node:http";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { setTimeout as pause } from "node:timers/promises";
import { CompressedFiles } from "@nido/server/edge/wordpress/CompressedFiles";
import { routeWordPress } from "@nido/server/edge/wordpress/routeWordPress";
import { sendFile } from "@nido/server/edge/wordpress/sendFile";
import {
  type AgentCall,
  callHeader,
  faultHeader,
  fileHeader,
  inPod,
} from "@nido/server/wordpress/kubernetes/agentProtocol";
import { fastCgiParams } from "@nido/server/wordpress/native/fastCgiParams";
import { requestFastCgi } from "@nido/server/wordpress/native/fastcgi";
import { spool } from "@nido/server/wordpress/native/spool";
import { splitUrl } from "@nido/server/wordpress/splitUrl";
import type { SiteRequest } from "@nido/server/wordpress/WordPressRuntime";
import { folders } from "./folders.ts";

const paths = { core: inPod.core, content: folders.content, platform: inPod.platform, settings: inPod.settings };

const compressed = new CompressedFiles(2 ** 24);

let isRestoring = false;
let running = 0;
/** PHP-FPM ends requests after 150 seconds. */
const maxWaitMs = 160_000;

/** Until the pod is replaced, which ends a restore. Waits until no PHP runs that could write to what is restored. */
export async function refuseVisitors() {
  isRestoring = true;
  for (const deadline = Date.now() + maxWaitMs; running > 0; await pause(100))
    if (Date.now() > deadline) throw new Error("PHP of the site does not end");
}

/** Runs PHP for a visitor's request, or sends a file. */
export async function serveVisitor(request: IncomingMessage, response: ServerResponse) {
  const call: AgentCall = JSON.parse(Buffer.from(String(request.headers[callHeader]), "base64url").toString());
  delete request.headers[callHeader];
  if (isRestoring) return void response.writeHead(503, { [faultHeader]: "the site is being restored" }).end();
  if (call.script) return runPhp(request, response, call, call.script, call.server);

  const [path, query] = splitUrl(request.url ?? "/");
  const route = routeWordPress(decodeURIComponent(path), paths);
  if (route.kind === "php")
    return runPhp(request, response, call, route.script, route.pathInfo ? { PATH_INFO: route.pathInfo } : {});
  response.setHeader(fileHeader, "1");
  if (route.kind === "file") return sendFile(request, response, route, query, { owner: "site", compressed });
  if (route.kind === "redirect")
    return void response.writeHead(301, { location: route.to + (query && `?${query}`) }).end();
  response.writeHead(404, { "content-type": "text/plain" }).end("404 Not Found\n");
}

async function runPhp(
  request: IncomingMessage,
  response: ServerResponse,
  { siteUrl, isStaging = false, visitor, seconds }: AgentCall,
  script: SiteRequest["script"],
  server: Record<string, string> = {},
) {
  // Conditions, ranges and encodings concern files only.
  const {
    method = "GET",
    url = "/",
    headers: { range: _, "if-range": __, "if-none-match": ___, "accept-encoding": ____, ...headers },
  } = request;
  const params = fastCgiParams(
    { url: siteUrl, isStaging },
    { method, url, headers, script, visitor, server },
    paths,
    seconds,
  );
  const hasBody = headers["content-length"] !== undefined || headers["transfer-encoding"] !== undefined;
  let body: Readable | undefined;
  running++;
  try {
    body = hasBody ? await spool(request) : undefined;
    const answer = await requestFastCgi(inPod.phpSocket, params, body, seconds * 1000);
    for (const name of [fileHeader, faultHeader, "connection", "transfer-encoding", "content-length"])
      delete answer.headers[name];
    answer.body.on("error", () => undefined); // the response is cut off then
    response.writeHead(answer.status, answer.headers);
    // If PHP fails in the middle of a response, the platform sees that the response is incomplete.
    await pipeline(answer.body, response).catch(() => undefined);
  } catch (error) {
    if (response.headersSent) return void response.destroy();
    response.writeHead(502, { [faultHeader]: encodeURIComponent((error as Error).message) }).end();
  } finally {
    running--;
    body?.destroy();
  }
}
