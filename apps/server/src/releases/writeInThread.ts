import { Worker } from "node:worker_threads";

/** Files that are parts of the same bytes. Each has another name until it is whole. */
export interface Writing {
  bytes: ArrayBuffer;
  files: { path: string; unfinished: string; start: number; size: number }[];
}

let thread: Worker | undefined;
/** In the order in which the thread answers. */
let waiting: PromiseWithResolvers<void>[] = [];

/** Writes many small files in a thread of their own: handing each to Node's threads takes longer than writing it. */
export function writeInThread(writing: Writing): Promise<void> {
  thread ??= start();
  thread.ref();
  const written = Promise.withResolvers<void>();
  waiting.push(written);
  thread.postMessage(writing, [writing.bytes]);
  return written.promise;
}

function start(): Worker {
  const worker = new Worker(new URL("./writingThread.ts", import.meta.url));
  worker.on("message", (error: Error | undefined) => {
    const written = waiting.shift();
    if (waiting.length === 0) worker.unref();
    if (error) written?.reject(error);
    else written?.resolve();
  });
  worker.on("error", (error) => {
    const lost = waiting;
    [thread, waiting] = [undefined, []];
    for (const written of lost) written.reject(error);
  });
  return worker;
}
