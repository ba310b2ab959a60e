import type { FastifyInstance } from "fastify";

const patience = 500;
const longest = 2000;

/** Ends open sockets and requests when the server stops: with a word first, then without. */
export function closeSockets(this: FastifyInstance, done: () => void) {
  const { clients } = this.websocketServer;
  for (const client of clients) client.close(1001, "the server is stopping");
  // A browser that is asleep never answers; the rest are gone by then.
  setTimeout(() => {
    for (const client of clients) client.terminate();
  }, patience).unref();
  setTimeout(() => this.server.closeAllConnections(), longest).unref();
  this.websocketServer.close(() => undefined);
  done();
}
