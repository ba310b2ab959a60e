import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import type { FileResolution } from "@nido/static-site";
import { type BlobStore, blobKey } from "../../deploys/blobs/BlobStore.ts";
import { chooseEncoding } from "../chooseEncoding.ts";
import { etagOf, isPreconditionFailed, isUnchanged, rangesOf } from "../conditionalRequest.ts";
import { isClosed } from "../isClosed.ts";
import { sendText } from "../sendText.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders } from "./fileHeaders.ts";
import { partialBody } from "./partialBody.ts";

interface Source {
  userId: string;
  files: FileCache;
  store: BlobStore;
}

/** Sends a file, a range of it, or 304. Large files are streamed from the store. */
export async function sendFile(
  { userId, files, store }: Source,
  resolution: FileResolution,
  request: IncomingMessage,
  response: ServerResponse,
) {
  const { file, status } = resolution;
  const { headers } = request;
  const { "last-modified": lastModified = "" } = resolution.headers;
  const ranges = status === 200 ? rangesOf(headers, etagOf(file.sha256), file.size) : undefined;
  const encoding = ranges ? undefined : chooseEncoding(headers["accept-encoding"] as string | undefined, file.forms);
  const fields = fileHeaders(resolution, encoding);
  const etags = [undefined, "br" as const, "gzip" as const].map((each) => etagOf(file.sha256, each));
  if (status === 200 && isPreconditionFailed(headers, etags, lastModified)) return sendText(response, 412);
  if (status === 200 && isUnchanged(headers, fields["etag"] ?? "", lastModified)) {
    const { "content-length": _, "content-type": __, ...rest } = fields;
    return void response.writeHead(304, rest).end();
  }
  if (ranges === "unsatisfiable") return sendText(response, 416, { "content-range": `bytes */${file.size}` });
  const body = ranges && partialBody(ranges, fields["content-type"] ?? "", file.size);
  const begin = () => response.writeHead(body ? 206 : status, { ...fields, ...body?.headers });
  if (request.method === "HEAD") return void begin().end();
  const size = encoding ? (file.forms[encoding] ?? 0) : file.size;
  const bytes = await files.find(userId, file.sha256, size, encoding);
  // The visitor has left: nothing would end a response that is begun now.
  if (isClosed(response)) return;
  // Checked again, because many requests may have waited for their files at the same time.
  if (bytes && files.inUse.hasRoom(userId)) {
    files.inUse.add(userId, size, response, "close");
    return void begin().end(body ? body.of(bytes) : bytes);
  }
  const key = blobKey(userId, file.sha256, encoding);
  const stream = await store.read(key, ranges?.[0]);
  if (isClosed(response)) return void stream.destroy();
  if (body)
    return pipeline(
      body.read(stream, (range) => store.read(key, range)),
      begin(),
    ).catch(() => undefined);
  await pipeline(stream, begin()).catch(() => undefined);
}
