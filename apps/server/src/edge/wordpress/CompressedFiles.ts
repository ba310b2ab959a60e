import { LRUCache } from "lru-cache";
import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { compress } from "./compress.ts";

interface CompressedFile {
  owner: string;
  body: Buffer;
}

/** The compressed forms of sites' text files, in memory: each is compressed once. */
export class CompressedFiles {
  private readonly files: LRUCache<string, CompressedFile>;
  private readonly compressing = new Map<string, Promise<Buffer>>();

  constructor(maxBytes: number) {
    const shares = new OwnerShares<CompressedFile>({
      share: maxBytes / 4,
      sizeOf: ({ body }, key) => 500 + key.length + body.length,
      ownerOf: ({ owner }) => owner,
    });
    const { sizeCalculation, dispose } = shares;
    this.files = new LRUCache({ maxSize: maxBytes, sizeCalculation, dispose });
    shares.attach(this.files);
  }

  /** `version` names a file with its content. Concurrent callers share one compression. */
  async find(version: string, encoding: Encoding, owner: string, read: () => Promise<Buffer>): Promise<Buffer> {
    const key = `${encoding} ${version}`;
    const known = this.files.get(key);
    if (known) return known.body;
    const compressing =
      this.compressing.get(key) ??
      read()
        .then((content) => compress(content, encoding))
        .finally(() => this.compressing.delete(key));
    this.compressing.set(key, compressing);
    const body = await compressing;
    this.files.set(key, { owner, body });
    return body;
  }
}
