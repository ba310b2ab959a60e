import type { Readable } from "node:stream";

/** Stores the content of static sites. A key is `{account}/{sha256}`, with `.gz` or `.br` for compressed forms. */
export interface BlobStore {
  /** Stores the content as a whole, or nothing if reading it fails. */
  put(key: string, content: Buffer | AsyncIterable<Buffer>, size: number): Promise<void>;
  /**
   * Stores many small blobs that are parts of one buffer, or none if one of them has another digest than announced. The
   * memory is transferred, and returned when done.
   */
  putParts(bytes: ArrayBuffer, parts: Part[]): Promise<ArrayBuffer>;
  /** The whole content, or the bytes from `start` to `end`, both included. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes the blobs that were last written before this time. */
  removeOlder(keys: string[], before: Date): Promise<void>;
  /** Removes temporary files that a killed process left before this time. */
  removeUnfinished(before: Date): Promise<void>;
}

export interface Part {
  key: string;
  start: number;
  size: number;
  sha256: string;
}

export type Encoding = "gzip" | "br";
const endings: Record<Encoding, string> = { gzip: ".gz", br: ".br" };

export function blobKey(userId: string, sha256: string, encoding?: Encoding): string {
  return `${userId}/${sha256}${encoding ? endings[encoding] : ""}`;
}

/** The account whose blob this is. */
export function blobOwner(key: string): string {
  return key.slice(0, key.indexOf("/"));
}
