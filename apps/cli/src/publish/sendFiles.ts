import { createReadStream } from "node:fs";
import { join } from "node:path";
import {
  frameHead,
  frameHeadLength,
  maxBatchBytes,
  type PublishedDeploy,
  type SiteFile,
  toBatches,
} from "@nido/contract";
import { ApiError } from "../ApiError.ts";
import type { Client, RepeatableBody } from "../Client.ts";
import { readIntoBuffer } from "./readIntoBuffer.ts";

const concurrency = 4;
const chunkBytes = 2 ** 18;

/** Sends the missing files in batches, several at a time, and finishes the deploy. */
export async function sendFiles(
  client: Client,
  deploy: string,
  folder: string,
  files: SiteFile[],
  onProgress: (part: number) => void,
): Promise<PublishedDeploy> {
  const finish = `/deploys/${deploy}/finish`;
  const batches = toBatches(files);
  const [only] = batches;
  const total = lengthOf(files);
  const sent = new Map<SiteFile[], number>();
  const count = (batch: SiteFile[], bytes: number) => {
    sent.set(batch, bytes);
    onProgress([...sent.values()].reduce((sum, each) => sum + each, 0) / total);
  };
  const bodyOf = (batch: SiteFile[]) => batchBody(folder, batch, (bytes) => count(batch, bytes));
  // Most deploys change little: a single batch travels with the request to finish.
  if (only && batches.length === 1) return client.sendFiles("POST", finish, bodyOf(only));
  let failure: unknown;
  const work = async () => {
    for (let batch = batches.pop(); batch && !failure; batch = batches.pop()) {
      try {
        await client.sendFiles("PUT", `/deploys/${deploy}/files`, bodyOf(batch));
        count(batch, lengthOf(batch));
      } catch (error) {
        failure ??= error;
        return;
      }
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failure) throw failure;
  return client.call("POST", finish);
}

/** The batch as one request body. A file that is larger than a batch is read while it is sent. */
function batchBody(folder: string, files: SiteFile[], onSent: (bytes: number) => void): RepeatableBody {
  const length = lengthOf(files);
  if (length > 2 * maxBatchBytes) return { length, open: () => counted(streamFrames(folder, files), onSent) };
  return {
    length,
    open: () => {
      const bytes = readFrames(folder, files, Buffer.allocUnsafe(length));
      return length > chunkBytes ? counted(chunksOf(bytes), onSent) : bytes;
    },
  };
}

/** Counts what is sent, from nothing again if the request is repeated. */
async function* counted(chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>, onSent: (bytes: number) => void) {
  let bytes = 0;
  for await (const chunk of chunks) {
    onSent(bytes);
    yield chunk;
    bytes += chunk.length;
  }
  onSent(bytes);
}

function* chunksOf(bytes: Buffer) {
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes);
}

function lengthOf(files: SiteFile[]): number {
  return files.reduce((sum, { size }) => sum + size + frameHeadLength, 0);
}

function readFrames(folder: string, files: SiteFile[], buffer: Buffer): Buffer {
  let filled = 0;
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

async function* streamFrames(folder: string, files: SiteFile[]) {
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
