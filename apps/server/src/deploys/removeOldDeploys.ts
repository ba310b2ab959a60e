import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import { blobKey } from "./blobs/BlobStore.ts";
import type { Releases } from "./Deploys.ts";
import { deleteOldDeploys, deleteUnusedBlobs, findPublishers } from "./queries.ts";

/** Written since then, a blob may be of a deploy that is being announced, or not be whole yet. */
const young = 3_600_000;

/** Removes what no site shows and nobody could go back to: old deploys, then the bytes that only they had. */
export async function collectReleases({ db, store, keep }: Releases) {
  let fault: unknown;
  for (const { userId } of await findPublishers(db))
    await collectOf(userId).catch((error) => {
      fault ??= error;
    });
  await store.removeUnfinished(new Date(Date.now() - young));
  // One customer's trouble is not the others'.
  if (fault) throw fault;

  async function collectOf(userId: string) {
    const unused = await db.transaction(async (tx) => {
      await lockUser(tx, userId);
      await deleteOldDeploys(tx, userId, keep);
      await announceChange(tx, userId);
      return deleteUnusedBlobs(tx, userId);
    });
    const keys = unused.flatMap((sha256) =>
      [undefined, "gzip" as const, "br" as const].map((encoding) => blobKey(userId, sha256, encoding)),
    );
    await store.removeOlder(keys, new Date(Date.now() - young));
  }
}
