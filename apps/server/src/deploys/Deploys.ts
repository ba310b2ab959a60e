import { join } from "node:path";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import type { Sites } from "../state/presentProject.ts";
import type { BlobStore } from "./blobs/BlobStore.ts";
import { FolderStore } from "./blobs/FolderStore.ts";
import { S3Store } from "./blobs/S3Store.ts";
import type { Wanted } from "./upload/ExpectedFiles.ts";

/** What static sites are published with. */
export interface Releases {
  db: Db;
  store: BlobStore;
  sites: Sites;
  /** whose the deploys are that are being sent, and what they consist of */
  announced: Map<string, { userId: string; wanted: Wanted }>;
  /** how many deploys of a project are kept, and for how many days at least */
  keep: { count: number; days: number };
}

export function createReleases(db: Db, config: Config, sites: Sites): Releases {
  const store = config.S3_URL ? new S3Store(config.S3_URL) : new FolderStore(join(config.DATA_DIR, "blobs"));
  return {
    db,
    store,
    sites,
    announced: new Map(),
    keep: { count: config.RELEASES_KEEP, days: config.RELEASES_KEEP_DAYS },
  };
}
