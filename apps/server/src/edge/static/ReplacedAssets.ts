import { setImmediate as nextTurn } from "node:timers/promises";
import { isFingerprinted, type SiteFileEntry } from "@nido/static-site";
import { LRUCache } from "lru-cache";
import type { Db } from "../../db/connect.ts";
import type { StoredFile } from "../../db/schema.ts";
import { findBlobs } from "../../deploys/blobs/queries.ts";
import { findFiles } from "../../deploys/queries.ts";
import type { ShownBranch } from "../../domains/findSite.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { deployFile } from "./StaticDeploy.ts";

const day = 86_400_000;
/** The limit of files for all deploys together, for one customer, and for one deploy. */
const maxFiles = 400_000;
const maxFilesOfOne = 100_000;
const maxFilesOfDeploy = 20_000;
/** How many lists may be read for one customer's sites within a minute. */
const maxReads = 30;
/** So many names are looked at before other requests have their turn. */
const namesAtOnce = 5000;

interface Assets {
  userId: string;
  files: Map<string, SiteFileEntry>;
}

/**
 * The files of replaced deploys whose names contain a digest. They stay reachable for a day, because open tabs and caches
 * of search engines refer to them.
 */
export class ReplacedAssets {
  private readonly cache: LRUCache<string, Assets, string>;
  /** by customer */
  private readonly reads = new LRUCache<string, { count: number }>({ max: 10_000, ttl: 60_000 });

  constructor(db: Db) {
    const shares = new OwnerShares<Assets>({
      share: maxFilesOfOne,
      sizeOf: ({ files }) => 1 + files.size,
      ownerOf: ({ userId }) => userId,
    });
    this.cache = new LRUCache({
      maxSize: maxFiles,
      sizeCalculation: shares.sizeCalculation,
      dispose: shares.dispose,
      ignoreFetchAbort: true,
      fetchMethod: (id, _stale, { context: userId }) => this.read(db, id, userId),
    });
    shares.attach(this.cache);
  }

  async find({ replaced }: ShownBranch, userId: string, name: string): Promise<SiteFileEntry | undefined> {
    for (const { id, at } of replaced) {
      if (Date.now() - at > day || !(this.cache.has(id) || this.mayRead(userId))) return undefined;
      const { files } = await this.cache.forceFetch(id, { context: userId });
      const file = files.get(name);
      if (file) return file;
    }
    return undefined;
  }

  /** Visitors who ask for names that nobody published must not keep the database busy. */
  private mayRead(userId: string): boolean {
    return (this.reads.get(userId)?.count ?? 0) < maxReads;
  }

  private async read(db: Db, id: string, userId: string): Promise<Assets> {
    const reads = this.reads.get(userId) ?? { count: 0 };
    if (reads.count === 0) this.reads.set(userId, reads);
    reads.count++;
    return { userId, files: await findAssets(db, id, userId) };
  }
}

async function findAssets(db: Db, id: string, userId: string): Promise<Map<string, SiteFileEntry>> {
  const found: StoredFile[] = [];
  for (const [index, file] of (await findFiles(db, id)).entries()) {
    if (index % namesAtOnce === 0) await nextTurn();
    if (!isFingerprinted(file[0])) continue;
    found.push(file);
    if (found.length === maxFilesOfDeploy) break;
  }
  const blobs = new Map(
    (
      await findBlobs(
        db,
        userId,
        found.map(([, sha256]) => sha256),
      )
    ).map((blob) => [blob.sha256, blob]),
  );
  return new Map(
    found.flatMap((file) => {
      const [path, sha256] = file;
      const blob = blobs.get(sha256);
      return blob ? [[path, deployFile(file, blob)]] : [];
    }),
  );
}
