import { type SpawnOptions, spawn } from "node:child_process";
import { once } from "node:events";
import { waitUntil } from "./waitUntil.ts";

/** Starts a program whose output is kept: the log of a server tells when it is ready. */
export function startProgram(program: string, args: string[], options: Pick<SpawnOptions, "cwd" | "env"> = {}) {
  const child = spawn(program, args, { ...options, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk) => (output += chunk));
  const hasExited = () => child.exitCode !== null || child.signalCode !== null;
  return {
    child,
    output: () => output,
    /** Waits for a line of the log. Fails at once when the program exits first. */
    waitForOutput: (pattern: RegExp) =>
      waitUntil(
        `${program} prints ${pattern}`,
        () => output,
        () => {
          if (pattern.test(output)) return true;
          if (hasExited()) throw new Error(`${program} exited before it printed ${pattern}:\n${output}`);
          return false;
        },
      ),
    stop: async (signal: NodeJS.Signals = "SIGTERM") => {
      if (hasExited()) return;
      child.kill(signal);
      await once(child, "close");
    },
  };
}
