import { LRUCache } from "lru-cache";
import type { Db } from "../../db/connect.ts";
import type { StoredFile } from "../../db/schema.ts";
import { findBlobs } from "../../deploys/blobs/queries.ts";
import { findFiles } from "../../deploys/queries.ts";
import type { ShownBranch } from "../../domains/findSite.ts";
import { OwnerShares } from "../../platform/OwnerShares.ts";
import { isFingerprinted } from "./isFingerprinted.ts";
import { type DeployFile, deployFile } from "./StaticDeploy.ts";

const day = 86_400_000;
/** The limit of files for all branches together, for one customer, and for one branch. */
const maxFiles = 200_000;
const maxFilesOfOne = 60_000;
const maxFilesOfBranch = 20_000;

interface Assets {
  userId: string;
  files: Map<string, DeployFile>;
}

/**
 * The files of replaced deploys whose names contain a digest. They stay reachable for a day, because open tabs and caches
 * of search engines refer to them.
 */
export class ReplacedAssets {
  private readonly cache: LRUCache<string, Assets, { ids: string[]; userId: string }>;

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
      fetchMethod: async (_key, _stale, { context: { ids, userId } }) => ({
        userId,
        files: await findAssets(db, ids, userId),
      }),
    });
    shares.attach(this.cache);
  }

  async find({ replaced }: ShownBranch, userId: string, name: string): Promise<DeployFile | undefined> {
    const ids = replaced.filter(({ at }) => Date.now() - at < day).map(({ id }) => id);
    if (ids.length === 0) return undefined;
    const { files } = await this.cache.forceFetch(ids.join(), { context: { ids, userId } });
    return files.get(name);
  }
}

/** With the same name in several deploys, the newest one counts. */
async function findAssets(db: Db, ids: string[], userId: string): Promise<Map<string, DeployFile>> {
  const found = new Map<string, StoredFile>();
  for (const id of ids)
    for (const file of await findFiles(db, id)) {
      const [path] = file;
      if (found.size < maxFilesOfBranch && !found.has(path) && isFingerprinted(path)) found.set(path, file);
    }
  const digests = [...new Set([...found.values()].map(([, sha256]) => sha256))];
  const blobs = new Map((await findBlobs(db, userId, digests)).map((blob) => [blob.sha256, blob]));
  return new Map(
    [...found].flatMap(([path, file]) => {
      const blob = blobs.get(file[1]);
      return blob ? [[path, deployFile(file, blob)]] : [];
    }),
  );
}
