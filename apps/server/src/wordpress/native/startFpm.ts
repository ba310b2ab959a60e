import { spawn } from "node:child_process";
import { lstatSync } from "node:fs";
import { chmod, chown, mkdir, rename, rm } from "node:fs/promises";
import { connect } from "node:net";
import { dirname, join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { findFpm } from "./findFpm.ts";
import { inGroups } from "./joinGroups.ts";
import { type SandboxOptions, sandboxed } from "./sandbox.ts";

const startTimeout = 30_000;

interface Options {
  siteId: string;
  /** its version; undefined: the newest */
  php: string | undefined;
  /** where the web process finds PHP */
  socket: string;
  webGroup: number;
  /** Writes the configuration for a PHP-FPM that listens at this path, and returns its file. */
  configure: (listen: string) => Promise<string>;
  sandbox: SandboxOptions;
  /** files by which a process joins the site's control groups */
  groups: string[];
}

/**
 * Starts the PHP-FPM master of a site inside its sandbox. It listens in a folder that the sandbox can see. The socket
 * is then moved out of it, before any PHP code runs: whoever can speak to PHP-FPM can set PHP's admin values, so a
 * site must not reach its own socket.
 */
export async function startFpm({ siteId, php, socket, webGroup, configure, sandbox, groups }: Options) {
  const folder = dirname(socket);
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  await chown(folder, 0, webGroup);
  await chmod(folder, 0o710);
  const visible = join(folder, "start");
  await mkdir(visible);
  await chown(visible, sandbox.uid, sandbox.gid);
  const listen = join(visible, "php.sock");
  const config = await configure(listen);

  const inside = { ...sandbox, writable: [...sandbox.writable, visible], readable: [...sandbox.readable, config] };
  const program = [requireFpm(php), "--nodaemonize", "--define", "ffi.enable=0", "--fpm-config", config];
  const [command, args] = inGroups(groups, sandboxed(inside, program));
  const fpm = spawn(command, args, { stdio: "ignore", detached: true });
  fpm.on("error", () => undefined); // it is seen below: nothing listens
  fpm.unref();
  for (const began = Date.now(); !(await isListening(listen)); ) {
    if (fpm.exitCode !== null) throw new Error(`PHP-FPM for site ${siteId} ended with code ${fpm.exitCode}`);
    if (Date.now() - began > startTimeout)
      throw new Error(`PHP-FPM for site ${siteId} did not start within ${startTimeout} ms`);
    await pause(5);
  }
  await chown(visible, 0, 0);
  if (!lstatSync(listen).isSocket()) throw new Error(`${listen} of site ${siteId} is not a socket`);
  await chown(listen, 0, webGroup);
  await chmod(listen, 0o660);
  await rename(listen, socket);
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

function requireFpm(version: string | undefined): string {
  const program = findFpm(version);
  if (!program) throw new Error(`PHP-FPM ${version ?? ""} is not installed on this machine`);
  return program;
}
