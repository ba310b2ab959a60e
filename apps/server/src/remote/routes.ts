import { untilHeader } from "@nido/redux-remote";
import type { FastifyInstance } from "fastify";
import { requireSession } from "../auth/requireSession.ts";
import { AppError } from "../platform/AppError.ts";
import type { LiveState } from "./createLiveState.ts";
import { parseAction } from "./parseAction.ts";

const pingInterval = 30_000;

export function remoteRoutes(app: FastifyInstance, live: LiveState) {
  const guard = requireSession(live.sessions);
  // The dashboard shows where to add a second factor, and how to reopen the account.
  const lenientGuard = requireSession(live.sessions, { restricted: true, closed: true });

  app.route({
    method: "GET",
    url: "/redux",
    preValidation: lenientGuard,
    handler: async (request, reply) => {
      const entry = await live.states.find(request.session.userId);
      if (!entry) throw new AppError("error_signed_out");
      return reply.type("application/json; charset=utf-8").header("cache-control", "no-store").send(entry.json);
    },
    wsHandler: (socket, { session }) => {
      live.remote.connect(session, session.userId, socket);
      keepAlive(socket);
    },
  });

  app.post("/redux", { preValidation: guard }, async (request) => {
    // The network held it back, and the customer has been told that it failed.
    if (Date.now() > Number(request.headers[untilHeader] ?? Number.POSITIVE_INFINITY))
      throw new AppError("error_network");
    return live.perform(request.session, parseAction(request.body));
  });
}

/** Pings the socket, so that proxies keep it open and a vanished peer is noticed. */
function keepAlive(socket: import("ws").WebSocket) {
  let isAlive = true;
  socket.on("pong", () => {
    isAlive = true;
  });
  // On a message that is too large or not text, `ws` itself closes the socket with the right code.
  socket.on("error", () => undefined);
  const timer = setInterval(() => {
    if (!isAlive) return socket.terminate();
    isAlive = false;
    socket.ping();
  }, pingInterval);
  socket.on("close", () => clearInterval(timer));
}
