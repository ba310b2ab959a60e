import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { contentTypeOf, isCompressible } from "../../deploys/contentType.ts";
import { openUntrusted } from "../../platform/openUntrusted.ts";
import { readBounded } from "../../platform/readBounded.ts";
import { isUnchanged, rangeOf } from "../conditionalRequest.ts";
import { sendText } from "../sendText.ts";
import type { CompressedFiles } from "./CompressedFiles.ts";
import type { Route } from "./routeWordPress.ts";
import { encodingFor } from "./sendPage.ts";

const day = 24 * 60 * 60;
const year = 365 * day;

/** Shorter files would hardly become smaller; longer ones would take too much time. */
const [minCompressedBytes, maxCompressedBytes] = [1000, 2 ** 20];

interface Context {
  /** who pays for the memory of the compressed form */
  owner: string;
  compressed: CompressedFiles;
}

/** Sends a file of a site, compressed if it is text, a range of it, or 304. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  { root, relative }: Route & { kind: "file" },
  query: string,
  { owner, compressed }: Context,
) {
  if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, { allow: "GET, HEAD" });
  const file = await openUntrusted(root, relative);
  if (!file) return sendText(response, 404);
  const { handle, stats } = file;
  try {
    // WordPress adds the version of its own files as `ver`.
    const isVersioned = /(^|&)ver=/.test(query);
    const isText = isCompressible(relative) && stats.size >= minCompressedBytes && stats.size <= maxCompressedBytes;
    const version = `${stats.size.toString(16)}-${Math.floor(stats.mtimeMs).toString(16)}`;
    const wanted = isText && request.method === "GET" && !request.headers.range && encodingFor(request.headers);
    const read = () => readBounded(handle.createReadStream({ autoClose: false }), maxCompressedBytes);
    const body =
      wanted && compressed.inUse.hasRoom(owner)
        ? await compressed.find(`${root}/${relative} ${version}`, wanted, owner, read)
        : undefined;
    const etag = `"${version}${body ? `-${wanted}` : ""}"`;
    const fields: Record<string, string | number> = {
      "content-type": contentTypeOf(relative),
      "x-content-type-options": "nosniff",
      "cache-control": `public, max-age=${isVersioned ? `${year}, immutable` : day}`,
      "last-modified": stats.mtime.toUTCString(),
      etag,
      "accept-ranges": "bytes",
      ...(isText && { vary: "accept-encoding" }),
    };
    if (isUnchanged(request.headers, etag, stats.mtime.toUTCString()))
      return void response.writeHead(304, fields).end();
    if (wanted && body) {
      compressed.inUse.add(owner, body.length, response, "close");
      response.writeHead(200, { ...fields, "content-encoding": wanted, "content-length": body.length });
      return void response.end(body);
    }
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
