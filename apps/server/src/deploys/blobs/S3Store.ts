import { AppError } from "../../platform/AppError.ts";
import type { Bucket } from "../../platform/Bucket.ts";
import type { BlobStore, Part } from "./BlobStore.ts";
import { findMismatch } from "./findMismatch.ts";

const maxConcurrency = 16;

/** Blobs in a bucket. */
export class S3Store implements BlobStore {
  private readonly bucket: Bucket;

  constructor(bucket: Bucket) {
    this.bucket = bucket;
  }

  async put(key: string, content: Buffer | AsyncIterable<Buffer>, size: number) {
    if (Buffer.isBuffer(content)) await this.bucket.put(key, content);
    else await this.bucket.putStream(key, content, size);
  }

  async putParts(bytes: ArrayBuffer, parts: Part[]) {
    const mismatch = findMismatch(bytes, parts);
    if (mismatch) throw new AppError("error_digest_mismatch", { detail: mismatch });
    const left = [...parts];
    const work = async () => {
      for (let part = left.pop(); part; part = left.pop())
        await this.bucket.put(part.key, Buffer.from(bytes, part.start, part.size));
    };
    await Promise.all(Array.from({ length: maxConcurrency }, work));
    return bytes;
  }

  read(key: string, range?: { start: number; end: number }) {
    return this.bucket.read(key, range);
  }

  async removeOlder(keys: string[], before: Date) {
    for (const key of keys) {
      const date = await this.bucket.findDate(key);
      if (date && date < before) await this.bucket.remove(key);
    }
  }

  async removeUnfinished() {
    // S3 leaves no partial files: an upload becomes visible as a whole or not at all.
  }
}
