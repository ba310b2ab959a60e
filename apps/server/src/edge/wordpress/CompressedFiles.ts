import { LRUCache } from "lru-cache";
import type { Encoding } from "../../deploys/blobs/BlobStore.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { FilesInUse } from "../FilesInUse.ts";
import { compress } from "./compress.ts";

interface CompressedFile {
  owner: string;
  body: Buffer;
}

/** How many files are read and compressed at a time, and how many of one owner wait for that. Others are sent as they are. */
const maxRunning = 2;
const maxWaitingOfOne = 32;

/** The compressed forms of sites' text files, in memory: each is compressed once. */
export class CompressedFiles {
  readonly inUse = new FilesInUse();
  private readonly files: LRUCache<string, CompressedFile>;
  private readonly compressing = new Map<string, Promise<Buffer>>();
  private readonly waitingOf = new Map<string, number>();
  private readonly waiting: (() => void)[] = [];
  private running = 0;

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

  /**
   * `version` names a file with its content. Concurrent callers share one compression. Undefined if too many files of
   * this owner are waiting.
   */
  async find(
    version: string,
    encoding: Encoding,
    owner: string,
    read: () => Promise<Buffer>,
  ): Promise<Buffer | undefined> {
    const key = `${encoding} ${version}`;
    const known = this.files.get(key)?.body ?? this.compressing.get(key);
    if (known) return known;
    const waiting = this.waitingOf.get(owner) ?? 0;
    if (waiting >= maxWaitingOfOne) return undefined;
    this.waitingOf.set(owner, waiting + 1);
    const compressing = this.run(async () => compress(await read(), encoding)).finally(() => {
      this.compressing.delete(key);
      const left = (this.waitingOf.get(owner) ?? 0) - 1;
      if (left > 0) this.waitingOf.set(owner, left);
      else this.waitingOf.delete(owner);
    });
    this.compressing.set(key, compressing);
    const body = await compressing;
    this.files.set(key, { owner, body });
    return body;
  }

  /** Runs a task as soon as fewer than `maxRunning` others run. */
  private async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.running >= maxRunning) await new Promise<void>((resolve) => this.waiting.push(resolve));
    else this.running++;
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}
