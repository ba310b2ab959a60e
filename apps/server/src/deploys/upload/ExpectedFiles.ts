import { filesPerDeploy } from "@nido/contract";
import { LRUCache } from "lru-cache";
import type { Db } from "../../db/connect.ts";
import { AppError } from "../../platform/AppError.ts";
import { findOwnSizes } from "../queries.ts";
import { FileSizes } from "./FileSizes.ts";

interface Entry {
  userId: string;
  sizes: FileSizes;
}

/** The files of the deploys that are being uploaded. They never change, so they are read once for many requests. */
export class ExpectedFiles {
  private readonly db: Db;
  private readonly entries = new LRUCache<string, Entry>({
    maxSize: 20 * filesPerDeploy,
    sizeCalculation: ({ sizes }) => sizes.count + 1,
  });

  constructor(db: Db) {
    this.db = db;
  }

  async find(userId: string, deployId: string): Promise<FileSizes> {
    const known = this.entries.get(deployId);
    if (known?.userId === userId) return known.sizes;
    const table = await findOwnSizes(this.db, userId, deployId);
    if (!table) throw new AppError("error_deploy_not_found");
    return this.add(userId, deployId, new FileSizes(table));
  }

  add(userId: string, deployId: string, sizes: FileSizes): FileSizes {
    this.entries.set(deployId, { userId, sizes });
    return sizes;
  }

  delete(deployId: string) {
    this.entries.delete(deployId);
  }
}
