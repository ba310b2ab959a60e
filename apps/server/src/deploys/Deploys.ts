import { join } from "node:path";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import type { Bucket } from "../platform/Bucket.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import type { BlobStore } from "./blobs/BlobStore.ts";
import { FolderStore } from "./blobs/FolderStore.ts";
import { S3Store } from "./blobs/S3Store.ts";
import { ExpectedFiles } from "./upload/ExpectedFiles.ts";

/** The dependencies of publishing and of serving static sites. */
export interface Deploys {
  db: Db;
  store: BlobStore;
  sites: SiteAddresses;
  expectedFiles: ExpectedFiles;
  /** How many finished deploys of a project are kept, and for how many days at least. */
  keep: { count: number; days: number };
}

export function createDeploys(db: Db, config: Config, sites: SiteAddresses, bucket: Bucket | undefined): Deploys {
  const store = bucket ? new S3Store(bucket) : new FolderStore(join(config.DATA_DIR, "blobs"));
  return {
    db,
    store,
    sites,
    expectedFiles: new ExpectedFiles(db),
    keep: { count: config.DEPLOYS_KEEP, days: config.DEPLOYS_KEEP_DAYS },
  };
}
