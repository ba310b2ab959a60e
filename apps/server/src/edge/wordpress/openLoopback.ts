import { once } from "node:events";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { dirname, join } from "node:path";
import { listSockets } from "../../wordpress/native/Loopback.ts";

type Serve = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

const maxConnections = 500;
const waitMs = 10_000;

/** The server on whose socket sites reach themselves. */
export function openLoopback(socket: string, serve: Serve) {
  const server = createServer({ headersTimeout: 5000, keepAliveTimeout: 1000 }, (request, response) => {
    serve(request, response).catch(() => response.destroy());
  });
  // Sites that open more than they need take nothing from visitors.
  server.maxConnections = maxConnections;
  let waiting: NodeJS.Timeout | undefined;

  async function listen() {
    const folder = dirname(socket);
    // The site manager creates it, and may be started later.
    if (!existsSync(folder)) {
      waiting = setTimeout(() => void listen().catch(() => undefined), waitMs).unref();
      return;
    }
    for (const name of listSockets(folder)) if (!isAlive(Number.parseInt(name, 10))) rmSync(join(folder, name));
    rmSync(socket, { force: true });
    // Otherwise, in a cluster, the primary process would listen.
    server.listen({ path: socket, exclusive: true });
    await once(server, "listening");
    chmodSync(socket, 0o666);
  }

  function close() {
    clearTimeout(waiting);
    rmSync(socket, { force: true });
    server.close();
    server.closeAllConnections();
  }
  return { listen, close };
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
