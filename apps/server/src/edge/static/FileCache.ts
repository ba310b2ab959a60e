import { buffer } from "node:stream/consumers";
import { LRUCache } from "lru-cache";
import { type BlobStore, blobKey, blobOwner, type Encoding } from "../../deploys/blobs/BlobStore.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { FilesInUse } from "../FilesInUse.ts";

const maxBytes = 256 * 2 ** 20;
const maxFileBytes = 2 * 2 ** 20;
/** One customer's part of the cache. */
const maxBytesOfOne = maxBytes / 4;

/** The content of recently requested files: an LRU cache with single-flight reads. */
export class FileCache {
  readonly inUse = new FilesInUse();
  private readonly cache: LRUCache<string, Buffer, number>;

  constructor(store: BlobStore) {
    const shares = new OwnerShares<Buffer>({
      share: maxBytesOfOne,
      // lru-cache refuses a size of 0.
      sizeOf: ({ length }) => length || 1,
      ownerOf: (_bytes, key) => blobOwner(key),
    });
    this.cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: shares.sizeCalculation,
      dispose: shares.dispose,
      // Evicting an entry must not fail the visitor who waits for it.
      ignoreFetchAbort: true,
      fetchMethod: async (key, _stale, { context: size }) => {
        const bytes = await buffer(await store.read(key));
        if (bytes.length !== size) throw new Error(`blob ${key} has ${bytes.length} bytes instead of ${size}`);
        return bytes;
      },
    });
    shares.attach(this.cache);
  }

  /** The whole file; undefined if it is too large, or if slow visitors already hold too much memory. */
  async find(userId: string, sha256: string, size: number, encoding?: Encoding): Promise<Buffer | undefined> {
    if (size > maxFileBytes) return undefined;
    if (!this.inUse.hasRoom(userId)) return undefined;
    const key = blobKey(userId, sha256, encoding);
    return this.cache.get(key) ?? this.cache.forceFetch(key, { context: size });
  }

  /** From memory only. */
  peek(userId: string, key: string): Buffer | undefined {
    return this.inUse.hasRoom(userId) ? this.cache.get(key) : undefined;
  }
}
