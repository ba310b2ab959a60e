import type { Readable } from "node:stream";

/** Where the bytes of static sites are kept. A key is `{account}/{sha256}`, with `.gz` or `.br` for what was compressed. */
export interface BlobStore {
  /** Keeps all of these bytes, or nothing where reading them fails. */
  put(key: string, content: Buffer | AsyncIterable<Buffer>, size: number): Promise<void>;
  /** Keeps many small ones, which are parts of these bytes. The bytes are given away, and come back when all is done. */
  putParts(bytes: ArrayBuffer, parts: Part[]): Promise<ArrayBuffer>;
  /** All bytes, or those from `start` to `end`, both included. */
  read(key: string, range?: { start: number; end: number }): Promise<Readable>;
  /** Removes those that nobody has put there since. */
  removeOlder(keys: string[], moment: Date): Promise<void>;
  /** Removes what was begun and not gone on with since then, by a process that was killed. */
  removeUnfinished(moment: Date): Promise<void>;
}

export interface Part {
  key: string;
  start: number;
  size: number;
}

export type Encoding = "gzip" | "br";
const endings: Record<Encoding, string> = { gzip: ".gz", br: ".br" };

export function blobKey(userId: string, sha256: string, encoding?: Encoding): string {
  return `${userId}/${sha256}${encoding ? endings[encoding] : ""}`;
}
