import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream";
import send from "@fastify/send";

const day = 24 * 60 * 60 * 1000;
const year = 365 * day;

/** Sends a file of a site, a range of it, or 304. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, path: string, query: string) {
  // WordPress adds the version of its own files as `ver`.
  const isVersioned = /(^|&)ver=/.test(query);
  const sent = await send(request, encodeURIComponent(basename(path)), {
    root: dirname(path),
    index: false,
    maxAge: isVersioned ? year : day,
    immutable: isVersioned,
  });
  response.writeHead(sent.statusCode, { ...sent.headers, "x-content-type-options": "nosniff" });
  pipeline(sent.stream, response, () => undefined);
}
