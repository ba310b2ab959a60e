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
  // Most deploys change little: a single batch travels with the request to finish.
  if (only && batches.length === 1) return client.sendFiles("POST", finish, bodyOf(folder, only));
  const total = files.reduce((sum, { size }) => sum + size, 0) || 1;
  let sent = 0;
  let failure: unknown;
  const work = async () => {
    for (let batch = batches.pop(); batch && !failure; batch = batches.pop()) {
      try {
        await client.sendFiles("PUT", `/deploys/${deploy}/files`, bodyOf(folder, batch));
      } catch (error) {
        failure ??= error;
        return;
      }
      sent += batch.reduce((sum, { size }) => sum + size, 0);
      onProgress(sent / total);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  if (failure) throw failure;
  return client.call("POST", finish);
}

/** The batch as one request body. A file that is larger than a batch is streamed. */
function bodyOf(folder: string, files: SiteFile[]): RepeatableBody {
  const length = files.reduce((sum, { size }) => sum + size + frameHeadLength, 0);
  if (length > 2 * maxBatchBytes) return { length, open: () => streamFrames(folder, files) };
  return { length, open: () => readFrames(folder, files, Buffer.allocUnsafe(length)) };
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
    for await (const chunk of createReadStream(join(folder, file.path), { highWaterMark: 2 ** 18 })) {
      bytes += chunk.length;
      if (bytes > file.size) break;
      yield chunk as Buffer;
    }
    // The file's size has changed since it was announced; the server would wait for the announced bytes.
    if (bytes !== file.size) throw new ApiError("error_digest_mismatch", file.path);
  }
}
