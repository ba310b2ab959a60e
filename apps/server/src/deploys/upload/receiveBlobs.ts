import { createHash, hash } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import type { SiteFile } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";
import { blobKey } from "../blobs/BlobStore.ts";
import type { Releases } from "../Deploys.ts";
import { recordReceived } from "../queries.ts";
import { findWanted, type Wanted } from "./ExpectedFiles.ts";
import { readFrames, splitFrames } from "./frames.ts";

/** Up to this size a body is held in memory, and up to this much of all together. */
const parcelMost = 8 * 2 ** 20;
const heldMost = 256 * 2 ** 20;
let held = 0;
/** Places for bodies, used again: memory that is new each time takes as long to come by as its bytes to be hashed. */
const places: Buffer<ArrayBuffer>[] = [];
const placesKept = 4;
/** The tool packs up to 4 MB. */
const placeLength = 2 ** 22 + 2 ** 16;

type Received = Pick<SiteFile, "sha256" | "size">[];

/** Keeps the files that come in a body, each only where it is what was announced. */
export async function receiveBlobs(
  releases: Releases,
  userId: string,
  deployId: string,
  body: Readable,
  length: number | undefined,
) {
  const wanted = await findWanted(releases, userId, deployId);
  const isParcel = length !== undefined && length <= parcelMost && held + placeSize(length) <= heldMost;
  const received = isParcel
    ? await keepParcel(releases, userId, wanted, body, length)
    : await keepStream(releases, userId, wanted, body);
  if (received.length === 0) return;
  await recordReceived(releases.db, userId, deployId, received);
}

function checkWanted(wanted: Wanted, { sha256, size }: Received[number]) {
  if (wanted.get(sha256) !== size) throw new AppError("error_digest_mismatch", { detail: sha256 });
}

/** A body of another size gets a place of its own, which is not kept. */
function placeSize(length: number): number {
  return length > placeLength / 4 && length <= placeLength ? placeLength : length;
}

async function keepParcel({ store }: Releases, userId: string, wanted: Wanted, body: Readable, length: number) {
  const size = placeSize(length);
  held += size;
  try {
    const place = (size === placeLength && places.pop()) || Buffer.from(new ArrayBuffer(size));
    const frames = splitFrames(await readWhole(body, place, length));
    for (const frame of frames) {
      checkWanted(wanted, frame);
      if (hash("sha256", place.subarray(frame.start, frame.start + frame.size)) !== frame.sha256)
        throw new AppError("error_digest_mismatch", { detail: frame.sha256 });
    }
    const parts = frames.map((frame) => ({ key: blobKey(userId, frame.sha256), start: frame.start, size: frame.size }));
    const bytes = await store.putParts(place.buffer, parts);
    if (size === placeLength && places.length < placesKept) places.push(Buffer.from(bytes));
    return frames;
  } finally {
    held -= size;
  }
}

async function readWhole(body: Readable, place: Buffer, length: number): Promise<Buffer> {
  // Given up before anybody listened: it would never end.
  if (body.destroyed) throw new AppError("error_invalid_input");
  let filled = 0;
  body.on("data", (chunk: Buffer<ArrayBuffer>) => {
    if (filled + chunk.length <= length) place.set(chunk, filled);
    filled += chunk.length;
    // Freed at once: so many bytes would soon make the collector look through everything that the process has.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  });
  await once(body, "end");
  if (filled !== length) throw new AppError("error_invalid_input");
  return place.subarray(0, length);
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
