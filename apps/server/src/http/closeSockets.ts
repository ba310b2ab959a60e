import type { FastifyInstance } from "fastify";

const closeTimeout = 500;
const connectionTimeout = 2000;

/** Closes WebSockets and connections when the server stops: gracefully first, then by force. */
export function closeSockets(this: FastifyInstance, done: () => void) {
  const { clients } = this.websocketServer;
  for (const client of clients) client.close(1001, "the server is stopping");
  // A suspended browser never answers the close frame.
  setTimeout(() => {
    for (const client of clients) client.terminate();
  }, closeTimeout).unref();
  setTimeout(() => this.server.closeAllConnections(), connectionTimeout).unref();
  this.websocketServer.close(() => undefined);
  done();
}
