import { once } from "node:events";
import http, { type IncomingMessage, type ServerResponse } from "node:http";
import { encodePath, locate, parseUrl, type Resolution } from "@nido/static-site";
import type { Context } from "../Context.ts";
import { describeError } from "../describeError.ts";
import { LocalSite } from "../dev/LocalSite.ts";
import { exitCodes, Failure } from "../Failure.ts";
import type { Options } from "../options.ts";
import { warnAboutSite } from "../publish/siteReport.ts";
import { requireSiteFolder } from "../siteFolder.ts";

const usualPort = 4000;
const plain = { "content-type": "text/plain; charset=utf-8" };

/** Serves the folder on this machine as it would be served once it is published. */
export async function dev(context: Context, options: Options, dir?: string) {
  const { t, terminal } = context;
  const folder = requireSiteFolder(context, dir ?? options.dir);
  const port = Number(options.port ?? usualPort);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Failure(t.portInvalid, exitCodes.usage);
  const site = new LocalSite(folder, context.settings().folder);
  let told = "";

  /** Tells about the rules once, and again when they change. */
  async function tellAboutRules() {
    const findings = await site.findings();
    if (JSON.stringify(findings) !== told) warnAboutSite(t, terminal, { findings });
    told = JSON.stringify(findings);
  }

  async function respond(request: IncomingMessage, response: ServerResponse) {
    try {
      const answer = find(site, request);
      send(site, answer, request, response);
      const to = answer.kind === "redirect" ? ` → ${answer.to}` : "";
      const status = terminal.paint(response.statusCode < 400 ? "green" : "yellow", String(response.statusCode));
      terminal.say(`${status} ${request.method} ${request.url}${to}`);
      await tellAboutRules();
    } catch (error) {
      // A build is replacing the folder. The next request looks again.
      if (response.headersSent) return;
      response.writeHead(503, { ...plain, "retry-after": "1" }).end("503 Service Unavailable\n");
      const { text } = describeError(error, t);
      terminal.say(`${terminal.paint("yellow", "503")} ${request.method} ${request.url}: ${text}`);
    }
  }

  const server = http.createServer(respond);
  server.listen(port, "127.0.0.1");
  await Promise.race([
    once(server, "listening"),
    once(server, "error").then(([error]) => {
      throw new Failure(error.code === "EADDRINUSE" ? t.portTaken(port) : error.message);
    }),
  ]);
  const { port: actual } = server.address() as { port: number };
  site.look();
  await tellAboutRules();
  const url = `http://localhost:${actual}/`;
  terminal.succeed(t.serving(folder));
  terminal.result(url, { url, folder });
  await once(server, "close");
}

function find(site: LocalSite, { url = "/" }: IncomingMessage): Resolution {
  const target = parseUrl(url);
  if (!target) return { kind: "none" };
  if (target.moved !== undefined)
    return { kind: "redirect", status: 308, to: locate(encodePath(target.moved), target.query) };
  return site.look().resolve(target.path, target.query);
}

function send(site: LocalSite, answer: Resolution, { method }: IncomingMessage, response: ServerResponse) {
  if (method !== "GET" && method !== "HEAD")
    return response.writeHead(405, { ...plain, allow: "GET, HEAD" }).end("405 Method Not Allowed\n");
  if (answer.kind === "none") return response.writeHead(404, plain).end("404 Not Found\n");
  if (answer.kind === "redirect") return response.writeHead(answer.status, { location: answer.to }).end();
  const { file, status, headers } = answer;
  const body = site.read(file);
  const fields = { "content-type": file.type, "x-content-type-options": "nosniff", ...headers };
  response.writeHead(status, { ...fields, "content-length": body.length }).end(method === "HEAD" ? undefined : body);
}
