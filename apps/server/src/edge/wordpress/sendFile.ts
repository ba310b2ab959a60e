import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { contentTypeOf } from "../../deploys/contentType.ts";
import { openUntrusted } from "../../platform/openUntrusted.ts";
import { isUnchanged, rangeOf } from "../conditionalRequest.ts";
import { sendText } from "../sendText.ts";
import type { Route } from "./routeWordPress.ts";

const day = 24 * 60 * 60;
const year = 365 * day;

/** Sends a file of a site, a range of it, or 304. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { root, relative }: Route & { kind: "file" },
  query: string,
) {
  if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, { allow: "GET, HEAD" });
  const file = await openUntrusted(root, relative);
  if (!file) return sendText(response, 404);
  const { handle, stats } = file;
  try {
    // WordPress adds the version of its own files as `ver`.
    const isVersioned = /(^|&)ver=/.test(query);
    const etag = `"${stats.size.toString(16)}-${Math.floor(stats.mtimeMs).toString(16)}"`;
    const fields: Record<string, string | number> = {
      "content-type": contentTypeOf(relative),
      "x-content-type-options": "nosniff",
      "cache-control": `public, max-age=${isVersioned ? `${year}, immutable` : day}`,
      "last-modified": stats.mtime.toUTCString(),
      etag,
      "accept-ranges": "bytes",
    };
    if (isUnchanged(request.headers, etag, stats.mtime.toUTCString()))
      return void response.writeHead(304, fields).end();
    const range = rangeOf(request.headers, etag, stats.size);
    if (range === "unsatisfiable") return sendText(response, 416, { "content-range": `bytes */${stats.size}` });
    const { start, end } = range ?? { start: 0, end: stats.size - 1 };
    fields["content-length"] = end - start + 1;
    if (range) fields["content-range"] = `bytes ${start}-${end}/${stats.size}`;
    response.writeHead(range ? 206 : 200, fields);
    if (request.method === "HEAD" || stats.size === 0) return void response.end();
    // A visitor who leaves ends the stream early.
    await pipeline(handle.createReadStream({ start, end, autoClose: false }), response).catch(() => undefined);
  } finally {
    await handle.close();
  }
}
