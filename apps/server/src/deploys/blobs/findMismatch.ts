import { hash } from "node:crypto";
import type { Part } from "./BlobStore.ts";

/** The announced digest of a part of the buffer that has another one. */
export function findMismatch(bytes: ArrayBuffer, parts: Omit<Part, "key">[]): string | undefined {
  return parts.find(({ start, size, sha256 }) => hash("sha256", new Uint8Array(bytes, start, size)) !== sha256)?.sha256;
}
