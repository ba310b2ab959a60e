import type { FileHandle } from "node:fs/promises";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { contentTypeOf, isCompressible } from "@nido/static-site";
import { openUntrusted, readUntrusted } from "../../platform/openUntrusted.ts";
import { readBounded } from "../../platform/readBounded.ts";
import { isUnchanged, rangeOf } from "../conditionalRequest.ts";
import { sendText } from "../sendText.ts";
import type { CompressedFiles } from "./CompressedFiles.ts";
import { formFor, hasForms } from "./images/formFor.ts";
import type { ImageForms } from "./images/ImageForms.ts";
import type { Route } from "./routeWordPress.ts";
import { encodingFor } from "./sendPage.ts";

const day = 24 * 60 * 60;
const year = 365 * day;
/** While a smaller form of an image is being made, visitors keep the image only for this time. */
const pendingSeconds = 300;

/** Shorter files would hardly become smaller; longer ones would take too much time. */
const [minCompressedBytes, maxCompressedBytes] = [1000, 2 ** 20];

interface Context {
  /** who pays for the memory of the compressed form */
  owner: string;
  compressed: CompressedFiles;
  /** absent: images are sent as they are */
  images?: { siteId: string; forms: ImageForms } | undefined;
}

type FileRoute = Route & { kind: "file" };

type Fields = Record<"content-type" | "cache-control" | "last-modified", string> & Record<string, string>;

interface OpenFile {
  handle: FileHandle;
  size: number;
  /** changes with its content */
  version: string;
  fields: Fields;
}

/** Sends a file of a site: compressed if it is text, as AVIF or WebP if it is an image. */
export async function sendFile(
  request: IncomingMessage,
  response: ServerResponse,
  route: FileRoute,
  query: string,
  context: Context,
) {
  if (request.method !== "GET" && request.method !== "HEAD") return sendText(response, 405, { allow: "GET, HEAD" });
  const opened = await openUntrusted(route.root, route.relative);
  if (!opened) return sendText(response, 404);
  const { handle, stats } = opened;
  const version = `${stats.size.toString(16)}-${Math.floor(stats.mtimeMs).toString(16)}`;
  // WordPress adds the version of its own files as `ver`.
  const isVersioned = /(^|&)ver=/.test(query);
  const fields = {
    "content-type": contentTypeOf(route.relative),
    "x-content-type-options": "nosniff",
    "cache-control": `public, max-age=${isVersioned ? `${year}, immutable` : day}`,
    "last-modified": stats.mtime.toUTCString(),
    "accept-ranges": "bytes",
  };
  const file: OpenFile = { handle, size: stats.size, version, fields };
  try {
    if (hasForms(route.relative) && context.images)
      return await sendImage(request, response, route, file, { owner: context.owner, ...context.images });
    if (!isCompressible(route.relative) || file.size < minCompressedBytes || file.size > maxCompressedBytes)
      return await sendOpened(request, response, file);
    await sendCompressed(
      request,
      response,
      route,
      { ...file, fields: { ...fields, vary: "accept-encoding" } },
      context,
    );
  } finally {
    await handle.close();
  }
}

async function sendImage(
  request: IncomingMessage,
  response: ServerResponse,
  { root, relative }: FileRoute,
  file: OpenFile,
  { owner, siteId, forms }: Context["images"] & { owner: string },
) {
  const form = formFor(request.headers.accept);
  const fields: Fields = { ...file.fields, vary: "accept" };
  const read = (maxBytes: number) => readUntrusted(root, relative, maxBytes);
  const asked = { owner, siteId, version: `${relative} ${file.version}`, size: file.size, read };
  const found = form ? await forms.find({ ...asked, form }) : "none";
  if (found === "pending") fields["cache-control"] = `public, max-age=${pendingSeconds}`;
  if (found === "none" || found === "pending") return sendOpened(request, response, { ...file, fields });
  try {
    fields["content-type"] = `image/${form}`;
    await sendOpened(request, response, { ...found, version: `${file.version}-${form}`, fields });
  } finally {
    await found.handle.close();
  }
}

async function sendCompressed(
  request: IncomingMessage,
  response: ServerResponse,
  { root, relative }: FileRoute,
  file: OpenFile,
  { owner, compressed }: Context,
) {
  const wanted = request.method === "GET" && !request.headers.range && encodingFor(request.headers);
  const read = () => readBounded(file.handle.createReadStream({ autoClose: false }), maxCompressedBytes);
  const body =
    wanted && compressed.inUse.hasRoom(owner)
      ? await compressed.find(`${root}/${relative} ${file.version}`, wanted, owner, read)
      : undefined;
  if (!wanted || !body) return sendOpened(request, response, file);
  const etag = `"${file.version}-${wanted}"`;
  const fields = { ...file.fields, etag };
  if (isUnchanged(request.headers, etag, file.fields["last-modified"]))
    return void response.writeHead(304, fields).end();
  compressed.inUse.add(owner, body.length, response, "close");
  response.writeHead(200, { ...fields, "content-encoding": wanted, "content-length": body.length });
  response.end(body);
}

/** Sends the file as it is, a range of it, or 304. */
async function sendOpened(
  request: IncomingMessage,
  response: ServerResponse,
  { handle, size, version, fields }: OpenFile,
) {
  const etag = `"${version}"`;
  const headers: Record<string, string | number> = { ...fields, etag };
  if (isUnchanged(request.headers, etag, fields["last-modified"])) return void response.writeHead(304, headers).end();
  const range = rangeOf(request.headers, etag, size);
  if (range === "unsatisfiable") return sendText(response, 416, { "content-range": `bytes */${size}` });
  const { start, end } = range ?? { start: 0, end: size - 1 };
  headers["content-length"] = end - start + 1;
  if (range) headers["content-range"] = `bytes ${start}-${end}/${size}`;
  response.writeHead(range ? 206 : 200, headers);
  if (request.method === "HEAD" || size === 0) return void response.end();
  // A visitor who leaves ends the stream early.
  await pipeline(handle.createReadStream({ start, end, autoClose: false }), response).catch(() => undefined);
}
