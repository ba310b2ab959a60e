import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

const closeTimeoutMs = 500;

/** How the server stops: soon, or by draining, when another process already serves new visitors. */
export class Shutdown {
  isDraining = false;

  /** how long requests may still take */
  get requestTimeoutMs(): number {
    return this.isDraining ? 30_000 : 2000;
  }

  /** A hook: while the server drains, each response over HTTP/1.1 ends its connection. */
  readonly endKeepAlive = async (_request: FastifyRequest, { raw }: FastifyReply) => {
    if (this.isDraining) raw.shouldKeepAlive = false;
  };

  /** Closes WebSockets and connections: gracefully first, then by force. */
  closeSockets(app: FastifyInstance) {
    const { clients } = app.websocketServer;
    for (const client of clients) client.close(1001, "the server is stopping");
    // A suspended browser never answers the close frame.
    setTimeout(() => {
      for (const client of clients) client.terminate();
    }, closeTimeoutMs).unref();
    setTimeout(() => app.server.closeAllConnections(), this.requestTimeoutMs).unref();
    app.websocketServer.close(() => undefined);
  }
}
