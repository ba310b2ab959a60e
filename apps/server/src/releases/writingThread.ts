import { closeSync, constants, openSync, writeSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { Writing } from "./writeInThread.ts";

parentPort?.on("message", (writing: Writing) => parentPort?.postMessage(write(writing)));

function write({ bytes, files }: Writing): Error | undefined {
  const source = new Uint8Array(bytes);
  try {
    for (const { path, start, size } of files) {
      // One that is there has these bytes, or the first of them: it may be read meanwhile, and is not emptied.
      const file = openSync(path, constants.O_WRONLY | constants.O_CREAT);
      try {
        for (let done = 0; done < size; ) done += writeSync(file, source, start + done, size - done, done);
      } finally {
        closeSync(file);
      }
    }
    return undefined;
  } catch (error) {
    return error as Error;
  }
}
