import type { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { pipeline } from "node:stream";
import send from "@fastify/send";

const aDay = 24 * 60 * 60 * 1000;
const aYear = 365 * aDay;

/** Sends a file of a site, or the part or the "not modified" that was asked for. */
export async function sendFile(request: IncomingMessage, response: ServerResponse, path: string, query: string) {
  // WordPress asks for its own files with their version.
  const isVersioned = /(^|&)ver=/.test(query);
  const sent = await send(request, encodeURIComponent(basename(path)), {
    root: dirname(path),
    index: false,
    maxAge: isVersioned ? aYear : aDay,
    immutable: isVersioned,
  });
  response.writeHead(sent.statusCode, { ...sent.headers, "x-content-type-options": "nosniff" });
  pipeline(sent.stream, response, () => undefined);
}
