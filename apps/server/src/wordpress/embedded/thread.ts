// The worker thread that runs the PHP of one site, one request at a time.
import { parentPort, workerData } from "node:worker_threads";
import { type BootOptions, boot } from "./boot.ts";
import { guardOutput } from "./guardOutput.ts";
import type { PhpJob, PhpMessage } from "./messages.ts";

const send = (message: PhpMessage) => parentPort?.postMessage(message);

const maxUnreadBytes = 2 ** 26;

const output = guardOutput(maxUnreadBytes);
const { php, needsRestart } = await boot(workerData as BootOptions);
parentPort?.on("message", (job: PhpJob) => void perform(job));
send({ kind: "ready" });

async function perform({ method, url, headers, body, scriptPath, server }: PhpJob) {
  output.begin();
  const response = await php.runStream({
    scriptPath,
    relativeUri: url,
    method,
    headers,
    ...(body && { body }),
    protocol: server["HTTPS"] ? "https" : "http",
    $_SERVER: server,
  });
  send({ kind: "head", status: await response.httpStatusCode, headers: await response.headers });
  for await (const chunk of response.stdout) {
    output.read(chunk);
    send({ kind: "chunk", chunk: Uint8Array.from(chunk) });
  }
  await response.exitCode;
  send({ kind: "end", errors: await response.stderrText, needsRestart: needsRestart() });
}
