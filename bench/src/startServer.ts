import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts a peer's server in the foreground. `cleanups` stops it. */
export function startServer(
  cleanups: AsyncDisposableStack,
  program: string,
  args: string[],
  env: Record<string, string> = {},
) {
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ["ignore", "ignore", "pipe"] });
  let errors = "";
  child.stderr.on("data", (chunk) => {
    errors += chunk;
  });
  child.once("close", (code) => code && console.error(`${program} ended with code ${code}:\n${errors}`));
  cleanups.defer(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGTERM");
    await once(child, "close");
  });
}
