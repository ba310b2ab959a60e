import { spawn } from "node:child_process";
import { connect } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { findFpm } from "./findFpm.ts";
import { type SandboxOptions, sandboxed } from "./sandbox.ts";

const startTimeout = 5000;

interface Options {
  siteId: string;
  socket: string;
  config: string;
  sandbox: SandboxOptions;
}

/** Starts the PHP-FPM master of a site inside its sandbox and waits until it listens. */
export async function startFpm({ siteId, socket, config, sandbox }: Options) {
  const [command, args] = sandboxed(sandbox, [requireFpm(), "--nodaemonize", "--fpm-config", config]);
  const fpm = spawn(command, args, { stdio: "ignore", detached: true });
  fpm.unref();
  for (let waited = 0; !(await isListening(socket)); waited += 5) {
    if (fpm.exitCode !== null) throw new Error(`PHP-FPM for site ${siteId} ended with code ${fpm.exitCode}`);
    if (waited > startTimeout) throw new Error(`PHP-FPM for site ${siteId} did not start within ${startTimeout} ms`);
    await pause(5);
  }
}

export function isListening(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path);
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

function requireFpm(): string {
  const program = findFpm();
  if (!program) throw new Error("PHP-FPM is not installed on this machine");
  return program;
}
