import type { Server } from "node:http";
import type { Socket } from "node:net";
import { type Covers, FastConnection, type FastPath, sweepInterval } from "./FastConnection.ts";

/**
 * The fast path: answers plain GET requests for content in memory directly on the socket. At the first request that it
 * does not fully understand, it hands the connection over to the HTTP server, for good.
 */
export function serveFastPath(server: Server, path: FastPath, covers: Covers) {
  const listeners = server.listeners("connection") as ((socket: Socket) => void)[];
  const connections = new Map<Socket, FastConnection>();
  let isDraining = false;
  server.removeAllListeners("connection");

  server.on("connection", (socket: Socket) => {
    const end = () => socket.end();
    const forget = () => connections.delete(socket);
    const handOver = (data: Buffer) => {
      socket.off("data", connection.read).off("end", end).off("error", end).off("close", forget);
      forget();
      socket.pause();
      socket.unshift(data);
      for (const listener of listeners) listener.call(server, socket);
      socket.resume();
    };
    const connection = new FastConnection(socket, path, covers, handOver);
    connections.set(socket, connection);
    if (isDraining) connection.drain();
    socket.setNoDelay(true);
    socket.on("data", connection.read).on("end", end).on("error", end).on("close", forget);
  });

  // One timer for all connections: a timeout per socket would have to be reset at every request.
  const sweeping = setInterval(() => {
    for (const [socket, connection] of connections) if (connection.sweep()) socket.destroy();
  }, sweepInterval);
  sweeping.unref();
  return {
    /** From now on, each connection is closed after its next response. */
    drain: () => {
      isDraining = true;
      for (const connection of connections.values()) connection.drain();
    },
    close: () => {
      clearInterval(sweeping);
      for (const connection of connections.values()) connection.close();
    },
  };
}
