import { createHash, hash } from "node:crypto";
import type { Readable } from "node:stream";
import type { SiteFile } from "@nido/contract";
import { AppError } from "../http/AppError.ts";
import { blobKey } from "./BlobStore.ts";
import { readFrames, splitFrames } from "./frames.ts";
import { findFiles, recordReceived } from "./queries.ts";
import type { Releases } from "./Releases.ts";

/** Up to this size a body is held in memory, and up to this much of all together. */
const parcelMost = 8 * 2 ** 20;
const heldMost = 256 * 2 ** 20;
let held = 0;
const mostRemembered = 20;

type Received = Pick<SiteFile, "sha256" | "size">[];
type Wanted = Map<string, number>;

/** Keeps the files that come in a body, each only where it is what was announced. */
export async function receiveBlobs(
  releases: Releases,
  userId: string,
  deployId: string,
  body: Readable,
  length: number | undefined,
) {
  const wanted = await findWanted(releases, deployId);
  const isParcel = length !== undefined && length <= parcelMost && held + length <= heldMost;
  held += isParcel ? length : 0;
  const receiving = isParcel
    ? readWhole(body, length).then((bytes) => keepParcel(releases, userId, wanted, bytes))
    : keepStream(releases, userId, wanted, body);
  const received = await receiving.finally(() => {
    held -= isParcel ? length : 0;
  });
  if (received.length === 0) return;
  await recordReceived(releases.db, userId, deployId, received);
}

/** What a deploy announced, by digest: read once for all that is sent for it. */
async function findWanted({ db, announced }: Releases, deployId: string): Promise<Wanted> {
  const known = announced.get(deployId);
  if (known) return known;
  const wanted = new Map((await findFiles(db, deployId)).map(([, sha256, size]) => [sha256, size]));
  announced.set(deployId, wanted);
  if (announced.size > mostRemembered) announced.delete(announced.keys().next().value as string);
  return wanted;
}

function checkWanted(wanted: Wanted, { sha256, size }: Received[number]) {
  if (wanted.get(sha256) !== size) throw new AppError("error_digest_mismatch", { detail: sha256 });
}

async function readWhole(body: Readable, length: number): Promise<Buffer<ArrayBuffer>> {
  const bytes = Buffer.from(new ArrayBuffer(length));
  let filled = 0;
  for await (const chunk of body) {
    bytes.set(chunk, filled);
    filled += chunk.length;
  }
  if (filled < length) throw new AppError("error_invalid_input");
  return bytes;
}

async function keepParcel({ store }: Releases, userId: string, wanted: Wanted, body: Buffer<ArrayBuffer>) {
  const frames = splitFrames(body);
  for (const frame of frames) {
    checkWanted(wanted, frame);
    const { sha256, size, start } = frame;
    if (hash("sha256", body.subarray(start, start + size)) !== sha256)
      throw new AppError("error_digest_mismatch", { detail: sha256 });
  }
  await store.putParts(
    body.buffer,
    frames.map(({ sha256, size, start }) => ({ key: blobKey(userId, sha256), start, size })),
  );
  return frames;
}

async function keepStream({ store }: Releases, userId: string, wanted: Wanted, body: Readable): Promise<Received> {
  const received: Received = [];
  for await (const { sha256, size, content } of readFrames(body)) {
    checkWanted(wanted, { sha256, size });
    await store.put(blobKey(userId, sha256), verified(content, sha256), size);
    received.push({ sha256, size });
  }
  return received;
}

/** The last part comes once all are known to be right: whoever counts the bytes must not have them all before. */
async function* verified(content: AsyncGenerator<Buffer>, sha256: string): AsyncGenerator<Buffer> {
  const whole = createHash("sha256");
  let last: Buffer | undefined;
  for await (const chunk of content) {
    whole.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (whole.digest("hex") !== sha256) throw new AppError("error_digest_mismatch", { detail: sha256 });
  if (last) yield last;
}
