import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { compressedBody, type Encoding, type Page } from "./PageCache.ts";

const minCompressedBytes = 1000;

/** Sends a cached page, or 304 if the visitor has it already. */
export async function sendPage(request: IncomingMessage, response: ServerResponse, page: Page, cacheStatus: string) {
  const headers = pageHeaders(page, cacheStatus);
  if (request.headers["if-none-match"] === page.etag && page.status === 200) {
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
  const { "accept-encoding": accepted } = headers;
  if (typeof accepted !== "string") return undefined;
  if (/\bbr\b/.test(accepted)) return "br";
  return accepted.includes("gzip") ? "gzip" : undefined;
}
