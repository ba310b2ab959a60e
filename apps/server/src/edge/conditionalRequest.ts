import type { IncomingHttpHeaders } from "node:http";
import type { Encoding } from "../deploys/blobs/BlobStore.ts";

/** A strong ETag. It includes the encoding, because each encoding of a file has different bytes. */
export function etagOf(sha256: string, encoding?: Encoding): string {
  return `"${sha256.slice(0, 32)}${encoding ? `-${encoding}` : ""}"`;
}

/** Whether If-None-Match contains the ETag. */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag.trim()) === opaque(etag));
}

/** The comparison of If-None-Match is weak (RFC 9110, 8.8.3.2). */
function opaque(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}

/** Whether the visitor has this version already. If-None-Match wins over If-Modified-Since. */
export function isUnchanged(headers: IncomingHttpHeaders, etag: string, lastModified: string): boolean {
  if (headers["if-none-match"] !== undefined) return isNotModified(headers["if-none-match"], etag);
  return Date.parse(lastModified) <= Date.parse(headers["if-modified-since"] ?? "");
}

/** The single requested range. Several ranges, or a malformed one, mean the whole file, as RFC 9110 allows. */
export function rangeOf({ range, "if-range": ifRange }: IncomingHttpHeaders, etag: string, size: number) {
  const [, from = "", to = ""] = /^bytes=(\d*)-(\d*)$/.exec(range ?? "") ?? [];
  if ((from === "" && to === "") || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const start = from === "" ? Math.max(size - Number(to), 0) : Number(from);
  const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
  if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
  return start > end || start >= size ? ("unsatisfiable" as const) : { start, end };
}
