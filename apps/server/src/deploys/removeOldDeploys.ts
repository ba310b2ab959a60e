import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { blobKey } from "./blobs/BlobStore.ts";
import { deleteUnusedBlobs, findPublishers } from "./blobs/queries.ts";
import type { Deploys } from "./Deploys.ts";
import { deleteOldDeploys, deleteOldestDeploys, sumUsedBlobs } from "./queries.ts";
import { findStorage } from "./storage.ts";

/** If a customer's deploys use more than this part of their storage, the oldest are removed before their time. */
const roomyPart = 0.6;
/** Younger blobs may belong to a deploy that is being planned, or still be written. */
const minBlobAge = 3_600_000;

/** Garbage collection: deletes deploys that are old and not shown, then the blobs that only they used. */
export async function removeOldDeploys({ db, store, keep }: Deploys) {
  let fault: unknown;
  for (const { userId } of await findPublishers(db))
    await collect(userId).catch((error) => {
      fault ??= error;
    });
  await store.removeUnfinished(new Date(Date.now() - minBlobAge));
  // Thrown last, so that one customer's fault does not stop the collection for the others.
  if (fault) throw fault;

  async function collect(userId: string) {
    const unused = await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      await deleteOldDeploys(tx, userId, keep);
      await trimHistory(tx, userId);
      await announceChange(tx, userId);
      return deleteUnusedBlobs(tx, userId);
    });
    const keys = unused.flatMap((sha256) =>
      [undefined, "gzip" as const, "br" as const].map((encoding) => blobKey(userId, sha256, encoding)),
    );
    await store.removeOlder(keys, new Date(Date.now() - minBlobAge));
  }
}

/** Makes room for the next day's deploys, so that a customer who publishes a lot is not refused. */
async function trimHistory(tx: Tx, userId: string) {
  for (;;) {
    const { allowed, files, allowedFiles } = await findStorage(tx, userId, undefined, { countsDeleted: true });
    const isRoomy = files <= roomyPart * allowedFiles && (await sumUsedBlobs(tx, userId)) <= roomyPart * allowed;
    if (isRoomy || (await deleteOldestDeploys(tx, userId)) === 0) return;
  }
}
