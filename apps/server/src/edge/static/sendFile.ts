import type { IncomingMessage, ServerResponse } from "node:http";
import type { Http2Stream } from "node:http2";
import { pipeline } from "node:stream/promises";
import { type BlobStore, blobKey } from "../../deploys/blobs/BlobStore.ts";
import { chooseEncoding } from "../chooseEncoding.ts";
import { etagOf, isNotModified, rangeOf } from "../conditionalRequest.ts";
import { sendText } from "../sendText.ts";
import type { FileCache } from "./FileCache.ts";
import { fileHeaders } from "./fileHeaders.ts";
import type { FileResolution } from "./StaticDeploy.ts";

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
  const range = status === 200 ? rangeOf(headers, etagOf(file.sha256), file.size) : undefined;
  const encoding = range ? undefined : chooseEncoding(headers["accept-encoding"] as string | undefined, file.forms);
  const fields = fileHeaders(resolution, encoding);
  if (status === 200 && isNotModified(headers["if-none-match"], fields["etag"] ?? "")) {
    const { "content-length": _, "content-type": __, ...rest } = fields;
    return void response.writeHead(304, rest).end();
  }
  if (range === "unsatisfiable") return sendText(response, 416, { "content-range": `bytes */${file.size}` });
  if (range) {
    fields["content-range"] = `bytes ${range.start}-${range.end}/${file.size}`;
    fields["content-length"] = String(range.end - range.start + 1);
  }
  const begin = () => response.writeHead(range ? 206 : status, fields);
  if (request.method === "HEAD") return void begin().end();
  const size = encoding ? (file.forms[encoding] ?? 0) : file.size;
  const bytes = await files.find(userId, file.sha256, size, encoding);
  // The visitor has left: nothing would end a response that is begun now.
  if (isClosed(response)) return;
  // Checked again, because many requests may have waited for their files at the same time.
  if (bytes && files.inUse.hasRoom(userId)) {
    files.inUse.add(userId, size, response, "close");
    return void begin().end(range ? bytes.subarray(range.start, range.end + 1) : bytes);
  }
  const stream = await store.read(blobKey(userId, file.sha256, encoding), range);
  if (isClosed(response)) return void stream.destroy();
  await pipeline(stream, begin()).catch(() => undefined);
}

function isClosed(response: ServerResponse): boolean {
  const { stream } = response as { stream?: Http2Stream };
  return stream ? stream.destroyed : response.destroyed;
}
