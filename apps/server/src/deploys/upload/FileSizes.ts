import { digestLength, frameHeadLength, type SiteFile } from "@nido/contract";

/** One entry: the digest, then the size as a 64-bit integer. */
const entryLength = frameHeadLength;

/**
 * The sizes of a deploy's files, by digest: a sorted table in one buffer. A Map of 100,000 entries would take long enough
 * to build to delay every request of the process.
 */
export class FileSizes {
  readonly count: number;
  private readonly table: Buffer;

  constructor(table: Buffer) {
    this.table = table;
    this.count = table.length / entryLength;
  }

  /** Binary search; undefined if there is no such file. */
  get(sha256: string): number | undefined {
    const digest = Buffer.from(sha256, "hex");
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      const start = middle * entryLength;
      const order = this.table.compare(digest, 0, digestLength, start, start + digestLength);
      if (order === 0) return Number(this.table.readBigUInt64BE(start + digestLength));
      if (order < 0) low = middle + 1;
      else high = middle;
    }
    return undefined;
  }
}

export function encodeSizes(files: Pick<SiteFile, "sha256" | "size">[]): ArrayBuffer {
  const sizes = new Map(files.map(({ sha256, size }) => [sha256, size]));
  const digests = [...sizes.keys()].sort();
  const table = Buffer.from(new ArrayBuffer(digests.length * entryLength));
  for (const [index, sha256] of digests.entries()) {
    table.write(sha256, index * entryLength, "hex");
    table.writeBigUInt64BE(BigInt(sizes.get(sha256) ?? 0), index * entryLength + digestLength);
  }
  return table.buffer;
}
