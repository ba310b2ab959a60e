import { spawn } from "node:child_process";
import { once } from "node:events";

/** Runs a program of this project in its own process and waits until it prints `ready`. `cleanups` stops it. */
export async function startProgram(
  cleanups: AsyncDisposableStack,
  file: string,
  env: Record<string, string>,
  ready: string,
) {
  // The program ends itself when the IPC channel closes, so a killed benchmark leaves nothing running.
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  cleanups.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "close");
  });
  let output = "";
  await new Promise<void>((resolve, reject) => {
    child.stdout?.on("data", (chunk) => {
      output += chunk;
      if (output.includes(ready)) resolve();
    });
    child.once("close", (code) => reject(new Error(`${file} ended with code ${code} before it was ready:\n${output}`)));
  });
}
