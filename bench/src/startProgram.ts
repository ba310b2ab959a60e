import { spawn } from "node:child_process";
import { once } from "node:events";

/** Starts a program in a process of its own and waits until it says that it is ready. */
export async function startProgram(file: string, env: Record<string, string>, ready: string) {
  const child = spawn(process.execPath, [file], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes(ready)) break;
  }
  if (child.exitCode !== null) throw new Error(`${file} did not start: ${output}`);
  return {
    stop: async () => {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "close");
    },
  };
}
