import type { FastifyInstance } from "fastify";

const closeTimeoutMs = 500;
const connectionTimeoutMs = 2000;

/** Closes WebSockets and connections when the server stops: gracefully first, then by force. */
export function closeSockets(this: FastifyInstance, done: () => void) {
  const { clients } = this.websocketServer;
  for (const client of clients) client.close(1001, "the server is stopping");
  // A suspended browser never answers the close frame.
  setTimeout(() => {
    for (const client of clients) client.terminate();
  }, closeTimeoutMs).unref();
  setTimeout(() => this.server.closeAllConnections(), connectionTimeoutMs).unref();
  this.websocketServer.close(() => undefined);
  done();
}
