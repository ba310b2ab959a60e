import { createReadStream } from "node:fs";
import { join } from "node:path";
import {
  frameHead,
  frameHeadLength,
  maxBatchBytes,
  type PublishedDeploy,
  reportFrame,
  type SiteFile,
  type SiteReport,
  toBatches,
} from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Client, RepeatableBody } from "../Client.ts";
import { readIntoBuffer } from "./readIntoBuffer.ts";

const concurrency = 4;
const chunkBytes = 2 ** 18;

interface Sending {
  /** the deploy's id */
  id: string;
  folder: string;
  /** needed last, so it may still be in the making */
  report: Promise<SiteReport>;
}

/** Sends the missing files in batches, several at a time, and finishes the deploy. */
export async function sendFiles(
  client: Client,
  { id, folder, report }: Sending,
  files: SiteFile[],
  onProgress?: (part: number) => void,
): Promise<PublishedDeploy> {
  const batches = toBatches(files);
  // Most deploys change little: a single batch travels with the request to finish.
  const last = batches.length === 1 ? (batches.pop() ?? []) : [];
  const total = lengthOf(files);
  const sent = new Map<SiteFile[], number>();
  const counter = (batch: SiteFile[]) =>
    onProgress &&
    ((bytes: number) => {
      sent.set(batch, Math.min(bytes, lengthOf(batch)));
      onProgress([...sent.values()].reduce((sum, each) => sum + each, 0) / (total || 1));
    });
  let failure: unknown;
  const work = async () => {
    const memory = new Memory();
    for (let batch = batches.pop(); batch && !failure; batch = batches.pop()) {
      try {
        const body = batchBody(folder, { files: batch }, memory, counter(batch));
        await client.sendFiles("PUT", `/deploys/${id}/files`, body);
        counter(batch)?.(lengthOf(batch));
      } catch (error) {
        failure ??= error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failure) throw failure;
  const rest = { files: last, report: reportFrame(await report) };
  const body = batchBody(folder, rest, new Memory(), counter(last));
  return client.sendFiles("POST", `/deploys/${id}/finish`, body);
}

interface Batch {
  files: SiteFile[];
  /** the frame before those of the files */
  report?: Uint8Array;
}

/** Only a progress bar needs to know; without one, a body is sent at once. */
type OnSent = ((bytes: number) => void) | undefined;

/** A buffer for consecutive batches: allocating a new one takes as long as reading the files into it. */
class Memory {
  private buffer = Buffer.alloc(0);

  take(length: number): Buffer {
    if (this.buffer.length < length) this.buffer = Buffer.allocUnsafeSlow(length);
    return this.buffer.subarray(0, length);
  }
}

/** The batch as one request body. A file that is larger than a batch is read while it is sent. */
function batchBody(folder: string, batch: Batch, memory: Memory, onSent: OnSent): RepeatableBody {
  const length = lengthOf(batch.files) + (batch.report?.length ?? 0);
  if (length > 2 * maxBatchBytes) return { length, open: () => counted(streamFrames(folder, batch), onSent) };
  return {
    length,
    open: () => {
      const bytes = readFrames(folder, batch, memory.take(length));
      return onSent && length > chunkBytes ? counted(chunksOf(bytes), onSent) : bytes;
    },
  };
}

/** Counts what is sent, from nothing again if the request is repeated. */
async function* counted(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, onSent: OnSent) {
  let bytes = 0;
  for await (const chunk of chunks) {
    onSent?.(bytes);
    yield chunk;
    bytes += chunk.length;
  }
  onSent?.(bytes);
}

function* chunksOf(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

function lengthOf(files: SiteFile[]): number {
  return files.reduce((sum, { size }) => sum + size + frameHeadLength, 0);
}

function readFrames(folder: string, { files, report }: Batch, buffer: Buffer): Buffer {
  let filled = report?.length ?? 0;
  if (report) buffer.set(report);
  for (const file of files) {
    buffer.set(frameHead(file), filled);
    filled += frameHeadLength;
    if (!fillBuffer(buffer.subarray(filled, filled + file.size), `${folder}/${file.path}`))
      throw new ApiError("error_digest_mismatch", file.path);
    filled += file.size;
  }
  return buffer;
}

/** Whether the file could be read and filled the buffer. */
function fillBuffer(buffer: Buffer, path: string): boolean {
  try {
    return readIntoBuffer(buffer, path) === buffer.length;
  } catch {
    return false;
  }
}

async function* streamFrames(folder: string, { files, report }: Batch) {
  if (report) yield report;
  for (const file of files) {
    yield frameHead(file);
    let bytes = 0;
    for await (const chunk of createReadStream(join(folder, file.path), { highWaterMark: chunkBytes })) {
      bytes += chunk.length;
      if (bytes > file.size) break;
      yield chunk as Buffer;
    }
    // The file's size has changed since it was announced; the server would wait for the announced bytes.
    if (bytes !== file.size) throw new ApiError("error_digest_mismatch", file.path);
  }
}
