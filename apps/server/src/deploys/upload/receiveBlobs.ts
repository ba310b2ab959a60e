import { createHash } from "node:crypto";
import { once } from "node:events";
import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { reportDigest, type SiteFile } from "@nido/contract";
import { AppError } from "../../platform/AppError.ts";
import { blobKey } from "../blobs/BlobStore.ts";
import { recordReceived } from "../blobs/queries.ts";
import type { Deploys } from "../Deploys.ts";
import { hasRoomFor, withBuffer } from "./bufferPool.ts";
import type { FileSizes } from "./FileSizes.ts";
import { readFrames, splitFrames } from "./frames.ts";

/** Larger bodies are streamed to the store instead of being held in memory. */
const maxBatchBytes = 8 * 2 ** 20;

const maxReportBytes = 2 ** 19;

type Received = Pick<SiteFile, "sha256" | "size">[];

/**
 * Stores the files in a request's body. Each must have the digest and size that the deploy was planned with. Returns the
 * deploy's report, as text, if the body begins with it.
 */
export async function receiveBlobs(
  deploys: Deploys,
  userId: string,
  deployId: string,
  body: Readable,
  length: number | undefined,
): Promise<string | undefined> {
  const expected = await deploys.expectedFiles.find(userId, deployId);
  const isBatch = length !== undefined && length <= maxBatchBytes && hasRoomFor(userId, length);
  const received: Received = [];
  try {
    if (!isBatch) return await storeStream(deploys, userId, expected, body, received);
    const { files, report } = await storeBatch(deploys, userId, expected, body, length);
    received.push(...files);
    return report;
  } finally {
    // Also if the connection broke: what is stored must be counted, and be collected one day.
    if (received.length > 0) await recordReceived(deploys.db, userId, deployId, received);
  }
}

function isReport(frame: Received[number] | undefined): boolean {
  return frame?.sha256 === reportDigest && frame.size <= maxReportBytes;
}

function checkExpected(expected: FileSizes, { sha256, size }: Received[number]) {
  if (expected.get(sha256) !== size) throw new AppError("error_digest_mismatch", { detail: sha256 });
}

function storeBatch({ store }: Deploys, userId: string, expected: FileSizes, body: Readable, length: number) {
  return withBuffer(userId, length, async (buffer) => {
    const frames = splitFrames(await readInto(buffer, body, length));
    const report = isReport(frames[0]) ? frames.shift() : undefined;
    const result = {
      report: report && buffer.toString("utf8", report.start, report.start + report.size),
      files: frames,
    };
    for (const frame of frames) checkExpected(expected, frame);
    const parts = frames.map((frame) => ({ key: blobKey(userId, frame.sha256), ...frame }));
    return { result, memory: await store.putParts(buffer.buffer, parts) };
  });
}

async function readInto(buffer: Buffer, body: Readable, length: number): Promise<Buffer> {
  // A request aborted before anyone listened never emits "end".
  if (body.destroyed) throw new AppError("error_invalid_input");
  let filled = 0;
  body.on("data", (chunk: Buffer<ArrayBuffer>) => {
    if (filled + chunk.length <= length) buffer.set(chunk, filled);
    filled += chunk.length;
    // Detached at once: otherwise this much external memory triggers full garbage collections.
    if (chunk.length === chunk.buffer.byteLength) chunk.buffer.transfer(0);
  });
  await once(body, "end");
  if (filled !== length) throw new AppError("error_invalid_input");
  return buffer.subarray(0, length);
}

/** Adds each file to `received` once it is stored. Returns the report. */
async function storeStream(
  { store }: Deploys,
  userId: string,
  expected: FileSizes,
  body: Readable,
  received: Received,
): Promise<string | undefined> {
  let report: string | undefined;
  let isFirst = true;
  for await (const { sha256, size, content } of readFrames(body)) {
    const mayBeReport = isFirst;
    isFirst = false;
    if (mayBeReport && isReport({ sha256, size })) {
      report = await text(content);
      continue;
    }
    checkExpected(expected, { sha256, size });
    await store.put(blobKey(userId, sha256), verified(content, sha256), size);
    received.push({ sha256, size });
  }
  return report;
}

/** Holds back the last chunk until the digest is verified, so that the store never gets all bytes of a wrong file. */
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
