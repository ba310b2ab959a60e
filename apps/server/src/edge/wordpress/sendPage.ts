import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import type { RequestSource } from "@nido/contract";
import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { ownCopy } from "../../platform/ownCopy.ts";
import { chooseEncoding } from "../chooseEncoding.ts";
import { isUnchanged } from "../conditionalRequest.ts";
import { noteSource } from "../requestSource.ts";
import { compressedBody, type Page } from "./PageCache.ts";

const minCompressedBytes = 1000;
const allForms = { br: 0, gzip: 0 };
const maxChosen = 500;
const maxAcceptedLength = 200;
/** by Accept-Encoding: nearly all browsers send one of a few */
const chosen = new Map<string, Encoding | undefined>();

/** Sends a cached page, or 304 if the visitor has it already. */
export async function sendPage(
  request: IncomingMessage,
  response: ServerResponse,
  page: Page,
  cacheStatus: RequestSource,
) {
  const headers = pageHeaders(page, cacheStatus);
  noteSource(response, cacheStatus);
  if (page.status === 200 && isUnchanged(request.headers, page.etag, String(page.headers["last-modified"]))) {
    response.writeHead(304, headers).end();
    return;
  }
  const encoding = encodingOf(page, request.headers);
  const body = encoding ? await compressedBody(page, encoding) : page.body;
  if (encoding) headers["content-encoding"] = encoding;
  headers["content-length"] = String(body.length);
  response.writeHead(page.status, headers).end(body);
}

export function pageHeaders({ headers, etag }: Page, cacheStatus: string): Record<string, string | string[]> {
  return { "cache-control": "no-cache", ...headers, etag, vary: "accept-encoding", "x-cache": cacheStatus };
}

/** The encoding of this page for these request headers. */
export function encodingOf(page: Page, headers: IncomingHttpHeaders): Encoding | undefined {
  return page.body.length < minCompressedBytes ? undefined : encodingFor(headers);
}

export function encodingFor(headers: IncomingHttpHeaders): Encoding | undefined {
  const { "accept-encoding": accepted = "" } = headers as { "accept-encoding"?: string };
  const known = chosen.get(accepted);
  if (known !== undefined || chosen.has(accepted)) return known;
  const encoding = chooseEncoding(accepted, allForms);
  // Visitors choose the text, so the memory is bounded.
  if (chosen.size >= maxChosen) chosen.clear();
  if (accepted.length <= maxAcceptedLength) chosen.set(ownCopy(accepted), encoding);
  return encoding;
}
