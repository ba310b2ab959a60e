import type { IncomingHttpHeaders } from "node:http";
import type { Encoding } from "../deploys/blobs/BlobStore.ts";

/** A strong ETag. It includes the encoding, because each encoding of a file has different bytes. */
export function etagOf(sha256: string, encoding?: Encoding): string {
  return `"${sha256.slice(0, 32)}${encoding ? `-${encoding}` : ""}"`;
}

/** Whether If-None-Match contains the ETag. */
function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.trim() === "*" || ifNoneMatch.split(",").some((tag) => opaque(tag.trim()) === opaque(etag));
}

/** The comparison of If-None-Match is weak (RFC 9110, 8.8.3.2). */
function opaque(etag: string): string {
  return etag.startsWith("W/") ? etag.slice(2) : etag;
}

/**
 * Whether the visitor has this version already. If-None-Match wins over If-Modified-Since, whose date must be exactly the
 * version's: after a roll-back, an older file replaces a newer one.
 */
export function isUnchanged(headers: IncomingHttpHeaders, etag: string, lastModified: string): boolean {
  if (headers["if-none-match"] !== undefined) return isNotModified(headers["if-none-match"], etag);
  return Date.parse(lastModified) === Date.parse(headers["if-modified-since"] ?? "");
}

/**
 * Whether If-Match or If-Unmodified-Since asks for another version. If-Match wins, and compares strongly. A file has an
 * ETag for each encoding.
 */
export function isPreconditionFailed(headers: IncomingHttpHeaders, etags: string[], lastModified: string): boolean {
  const { "if-match": ifMatch, "if-unmodified-since": since } = headers;
  if (ifMatch !== undefined)
    return ifMatch.trim() !== "*" && !ifMatch.split(",").some((tag) => etags.includes(tag.trim()));
  return since !== undefined && Date.parse(lastModified) > Date.parse(since);
}

export interface ByteRange {
  start: number;
  end: number;
}

const maxRanges = 16;

/** The single requested range. Several ranges, or a malformed one, mean the whole file, as RFC 9110 allows. */
export function rangeOf(headers: IncomingHttpHeaders, etag: string, size: number) {
  const ranges = rangesOf(headers, etag, size);
  return typeof ranges === "object" ? (ranges.length === 1 ? ranges[0] : undefined) : ranges;
}

/**
 * The requested ranges. A malformed request, too many ranges, or ranges that are more than the file mean the whole file,
 * as RFC 9110 allows.
 */
export function rangesOf(
  { range = "", "if-range": ifRange }: IncomingHttpHeaders,
  etag: string,
  size: number,
): ByteRange[] | "unsatisfiable" | undefined {
  const [, list] = /^bytes=(\s*(?:\d+-\d*|-\d+)\s*(?:,\s*(?:\d+-\d*|-\d+)\s*)*)$/.exec(range) ?? [];
  if (!list || (ifRange !== undefined && ifRange !== etag)) return undefined;
  const ranges: ByteRange[] = [];
  for (const text of list.split(",")) {
    const [from = "", to = ""] = text.trim().split("-");
    if (from !== "" && to !== "" && Number(to) < Number(from)) return undefined;
    const start = from === "" ? Math.max(size - Number(to), 0) : Number(from);
    const end = from === "" || to === "" ? size - 1 : Math.min(Number(to), size - 1);
    if (start <= end && start < size) ranges.push({ start, end });
  }
  if (ranges.length === 0) return "unsatisfiable";
  const total = ranges.reduce((sum, { start, end }) => sum + end - start + 1, 0);
  return ranges.length > maxRanges || total > size ? undefined : ranges;
}
