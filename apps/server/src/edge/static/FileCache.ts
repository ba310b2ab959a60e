import { buffer } from "node:stream/consumers";
import { type BlobStore, blobKey, type Encoding } from "../../deploys/blobs/BlobStore.ts";

const mostBytes = 256 * 2 ** 20;
const largest = 2 * 2 ** 20;

/** The bytes of files that visitors asked for lately, the least recently asked for dropped first. */
export class HotFiles {
  private readonly store: BlobStore;
  private readonly files = new Map<string, Buffer>();
  private readonly reading = new Map<string, Promise<Buffer>>();
  private bytes = 0;

  constructor(store: BlobStore) {
    this.store = store;
  }

  /** All bytes of a file; undefined where it is too large to be kept. */
  async find(userId: string, sha256: string, size: number, encoding?: Encoding): Promise<Buffer | undefined> {
    const key = blobKey(userId, sha256, encoding);
    const kept = this.peek(key);
    if (kept || size > largest) return kept;
    const reading =
      this.reading.get(key) ??
      this.store
        .read(key)
        .then((stream) => buffer(stream))
        .then((bytes) => {
          if (bytes.length !== size) throw new Error(`${key} has ${bytes.length} bytes, not ${size}`);
          return this.keep(key, bytes);
        })
        .finally(() => this.reading.delete(key));
    this.reading.set(key, reading);
    return reading;
  }

  peek(key: string): Buffer | undefined {
    const bytes = this.files.get(key);
    if (!bytes) return undefined;
    this.files.delete(key);
    this.files.set(key, bytes);
    return bytes;
  }

  private keep(key: string, bytes: Buffer): Buffer {
    this.files.set(key, bytes);
    this.bytes += bytes.length;
    for (const [oldest, { length }] of this.files) {
      if (this.bytes <= mostBytes) break;
      this.files.delete(oldest);
      this.bytes -= length;
    }
    return bytes;
  }
}
