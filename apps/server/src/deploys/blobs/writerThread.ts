import { closeSync, constants, futimesSync, openSync, writeSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import { findMismatch } from "./findMismatch.ts";
import type { Writing, Written } from "./writeInThread.ts";

parentPort?.on("message", ({ bytes, files }: Writing) => {
  const written: Written = { bytes };
  try {
    written.mismatch = findMismatch(bytes, files);
    if (!written.mismatch) for (const file of files) write(new Uint8Array(bytes, file.start, file.size), file.path);
  } catch (error) {
    written.error = error as Error;
  }
  parentPort?.postMessage(written, [bytes]);
});

function write(content: Uint8Array, path: string) {
  // Not truncated: an existing file has the same content, or a prefix of it, and may be read at this moment.
  const file = openSync(path, constants.O_WRONLY | constants.O_CREAT);
  try {
    for (let done = 0; done < content.length; ) done += writeSync(file, content, done, content.length - done, done);
    // Writing zero bytes does not update the modification time, which garbage collection relies on.
    if (content.length === 0) futimesSync(file, new Date(), new Date());
  } finally {
    closeSync(file);
  }
}
