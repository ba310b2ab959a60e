// The thread in which the PHP of one site runs, one request after the other.
import { parentPort, workerData } from "node:worker_threads";
import { type BootOptions, boot } from "./boot.ts";
import type { PhpJob, PhpNews } from "./messages.ts";

const tell = (news: PhpNews) => parentPort?.postMessage(news);

const { php, isWorn } = await boot(workerData as BootOptions);
parentPort?.on("message", (job: PhpJob) => void perform(job));
tell({ kind: "ready" });

async function perform({ method, url, headers, body, scriptPath, server }: PhpJob) {
  const response = await php.runStream({
    scriptPath,
    relativeUri: url,
    method,
    headers,
    ...(body && { body }),
    protocol: server["HTTPS"] ? "https" : "http",
    $_SERVER: server,
  });
  tell({ kind: "head", status: await response.httpStatusCode, headers: await response.headers });
  for await (const chunk of response.stdout) {
    tell({ kind: "chunk", chunk: Uint8Array.from(chunk) });
  }
  await response.exitCode;
  tell({ kind: "end", errors: await response.stderrText, isWorn: isWorn() });
}
