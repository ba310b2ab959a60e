import { Worker } from "node:worker_threads";
import { AppError } from "../../platform/AppError.ts";

/** Files that are parts of one buffer, whose memory is transferred to the thread and back. */
export interface Writing {
  bytes: ArrayBuffer;
  files: { path: string; start: number; size: number; sha256: string }[];
}

export interface Written {
  bytes: ArrayBuffer;
  /** the digest that a part should have had */
  mismatch?: string | undefined;
  error?: Error;
}

let thread: ReturnType<typeof start> | undefined;

/**
 * Checks and writes many small files in one worker thread. Their digests would delay the other requests of the process,
 * and passing each file to libuv's pool takes longer than writing it.
 */
export function writeInThread(writing: Writing): Promise<ArrayBuffer> {
  thread ??= start();
  return thread.write(writing);
}

function start() {
  const worker = new Worker(new URL("./writerThread.ts", import.meta.url));
  /** The thread replies in the order of the requests. */
  const waiting: PromiseWithResolvers<ArrayBuffer>[] = [];
  worker.on("message", ({ bytes, mismatch, error }: Written) => {
    const written = waiting.shift();
    if (waiting.length === 0) worker.unref();
    if (mismatch) written?.reject(new AppError("error_digest_mismatch", { detail: mismatch }));
    else if (error) written?.reject(error);
    else written?.resolve(bytes);
  });
  worker.on("error", (error) => {
    thread = undefined;
    for (const written of waiting.splice(0)) written.reject(error);
  });
  return {
    write: (writing: Writing) => {
      const written = Promise.withResolvers<ArrayBuffer>();
      worker.postMessage(writing, [writing.bytes]);
      worker.ref();
      waiting.push(written);
      return written.promise;
    },
  };
}
