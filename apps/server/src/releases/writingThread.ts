import { renameSync, rmSync, writeFileSync } from "node:fs";
import { parentPort } from "node:worker_threads";
import type { Writing } from "./writeInThread.ts";

parentPort?.on("message", (writing: Writing) => parentPort?.postMessage(write(writing)));

function write({ bytes, files }: Writing): Error | undefined {
  for (const { path, unfinished, start, size } of files)
    try {
      writeFileSync(unfinished, new Uint8Array(bytes, start, size), { flag: "wx" });
      renameSync(unfinished, path);
    } catch (error) {
      rmSync(unfinished, { force: true });
      return error as Error;
    }
  return undefined;
}
