import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import { sql } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { AppError } from "../http/AppError.ts";
import { announceChange } from "../remote/announceChange.ts";
import { blobKey, type Content } from "./BlobStore.ts";
import { addReceived, type DeployRow, findFiles, insertBlobs } from "./queries.ts";
import type { Releases } from "./Releases.ts";
import { type Frame, readFrames } from "./readFrames.ts";

/** Up to this size a file is held in memory, and the next one is read while it is written. */
const small = 2 ** 20;
const mostAtOnce = 16;
const mostRemembered = 20;

/** Keeps the files that come in a body: each is hashed while it is written, and kept only where it is what it should be. */
export async function receiveBlobs(releases: Releases, userId: string, deploy: DeployRow, body: Readable) {
  const { store, db } = releases;
  const wanted = await findWanted(releases, deploy.id);
  let fault: unknown;
  const received: Pick<Frame, "sha256" | "size">[] = [];
  const writing = new Set<Promise<void>>();

  const keep = async ({ sha256, size }: Frame, content: Content) => {
    await store.put(blobKey(userId, sha256), content, size);
    received.push({ sha256, size });
  };
  try {
    for await (const frame of readFrames(body)) {
      const { sha256, size, content } = frame;
      if (wanted.get(sha256) !== size) throw new AppError("error_digest_mismatch", { detail: sha256 });
      if (size > small) await keep(frame, verified(content, sha256));
      else {
        const bytes = await collect(verified(content, sha256));
        const written = keep(frame, bytes)
          .catch((error) => {
            fault ??= error;
          })
          .finally(() => writing.delete(written));
        writing.add(written);
        if (writing.size >= mostAtOnce) await Promise.race(writing);
      }
      if (fault) throw fault;
    }
    await Promise.all(writing);
    if (fault) throw fault;
  } finally {
    await Promise.allSettled(writing);
    // What came whole need not be sent again, whatever happened to the rest.
    if (received.length > 0)
      await db.transaction(async (tx) => {
        // Finishing writes all of it to the disk; were it lost before, it would be sent again.
        await tx.execute(sql`set local synchronous_commit = off`);
        await lockUser(tx, userId);
        await insertBlobs(tx, userId, received);
        await addReceived(
          tx,
          deploy.id,
          received.reduce((sum, { size }) => sum + size, 0),
        );
        await announceChange(tx, userId);
      });
  }
}

/** What a deploy announced, by digest: read once for all that is sent for it. */
async function findWanted({ db, announced }: Releases, deployId: string): Promise<Map<string, number>> {
  const known = announced.get(deployId);
  if (known) return known;
  const wanted = new Map((await findFiles(db, deployId)).map(([, sha256, size]) => [sha256, size]));
  announced.set(deployId, wanted);
  if (announced.size > mostRemembered) announced.delete(announced.keys().next().value as string);
  return wanted;
}

/** The last part comes once all are known to be right: whoever counts the bytes must not have them all before. */
async function* verified(content: AsyncGenerator<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const hash = createHash("sha256");
  let last: Buffer | undefined;
  for await (const chunk of content) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== sha256) throw new AppError("error_digest_mismatch", { detail: sha256 });
  if (last) yield last;
}

async function collect(content: AsyncGenerator<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of content) chunks.push(chunk);
  return chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks);
}
