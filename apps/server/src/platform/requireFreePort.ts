import { once } from "node:events";
import { createServer } from "node:net";
import { ConfigError } from "../config/ConfigError.ts";

/**
 * Each process has its own socket on the shared port, and a product that takes over opens more (SO_REUSEPORT). Where
 * the system does not spread connections over several sockets, the processes share one through the cluster module.
 */
export const portSharing = process.platform === "linux" ? { exclusive: true, reusePort: true } : {};

/** Fails with a message for the operator if a port cannot be opened. Called before anything is started. */
export async function requireFreePort(setting: string, port: number, host: string) {
  const server = createServer();
  try {
    server.listen(port, host);
    await once(server, "listening");
  } catch (error) {
    throw portError(setting, port, host, error);
  }
  server.close();
  await once(server, "close");
}

export function portError(setting: string, port: number, host: string, error: unknown) {
  const { code } = error as NodeJS.ErrnoException;
  const reason = code === "EADDRINUSE" ? "is already in use" : `cannot be opened on HOST=${host} (${code})`;
  return new ConfigError(`${setting}=${port} ${reason}: stop what uses it, or set another ${setting}.`);
}
