import { filesPerDeploy, type SiteFile } from "@nido/contract";
import { LRUCache } from "lru-cache";
import type { Db } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findOwnFiles } from "../queries.ts";

/** The sizes of a deploy's files, by digest. */
export type FileSizes = Map<string, number>;

interface Entry {
  userId: string;
  sizes: FileSizes;
}

/** The files of the deploys that are being uploaded. They never change, so they are read once for many requests. */
export class ExpectedFiles {
  private readonly db: Db;
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: 2 * filesPerDeploy,
    sizeCalculation: ({ sizes }) => sizes.size + 1,
  });

  constructor(db: Db) {
    this.db = db;
  }

  async find(userId: string, deployId: string): Promise<FileSizes> {
    const known = this.entries.get(deployId);
    if (known?.userId === userId) return known.sizes;
    const files = await findOwnFiles(this.db, userId, deployId);
    if (!files) throw new AppError("error_deploy_not_found");
    return this.add(
      userId,
      deployId,
      files.map(([, sha256, size]) => ({ sha256, size })),
    );
  }

  add(userId: string, deployId: string, files: Pick<SiteFile, "sha256" | "size">[]): FileSizes {
    const sizes = new Map(files.map(({ sha256, size }) => [sha256, size]));
    this.entries.set(deployId, { userId, sizes });
    return sizes;
  }

  delete(deployId: string) {
    this.entries.delete(deployId);
  }
}
