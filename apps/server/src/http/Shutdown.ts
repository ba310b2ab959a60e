import { Server } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const closeTimeoutMs = 500;

/** How the server stops: soon, or by draining, when another process already serves new visitors. */
export class Shutdown {
  isDraining = false;
  private readonly listeners: Server[] = [];
  private closed: Promise<unknown> | undefined;

  /** Adds a server that listens. */
  watch(listener: Server) {
    this.listeners.push(listener);
  }

  /** A hook: while the server drains, each response over HTTP/1.1 ends its connection. */
  readonly endKeepAlive = async (_request: FastifyRequest, { raw }: FastifyReply) => {
    if (this.isDraining) raw.shouldKeepAlive = false;
  };

  /** Accepts no more connections; those that are open go on. */
  stopListening() {
    this.closed ??= Promise.all(
      this.listeners.map(
        // Not the HTTP server's own close(): it would also close idle connections on which a request may be arriving.
        (listener) => new Promise((resolve) => Server.prototype.close.call(listener, resolve)),
      ),
    );
  }

  /** Closes WebSockets: gracefully first, then by force. */
  closeSockets(app: FastifyInstance) {
    const { clients } = app.websocketServer;
    for (const client of clients) client.close(1001, "the server is stopping");
    // A suspended browser never answers the close frame.
    setTimeout(() => {
      for (const client of clients) client.terminate();
    }, closeTimeoutMs).unref();
    app.websocketServer.close(() => undefined);
  }

  /** Waits for the requests that are being answered, and then closes all connections. */
  async finishRequests(app: FastifyInstance) {
    this.stopListening();
    app.server.closeIdleConnections();
    const timeout = this.isDraining ? 30_000 : 2000;
    await Promise.race([this.closed, pause(timeout, undefined, { ref: false })]);
    app.server.closeAllConnections();
  }
}
