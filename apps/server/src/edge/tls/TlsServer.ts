import type { Server as HttpServer } from "node:http";
import { createServer, type SecureContext, type Server, type TLSSocket } from "node:tls";
import type { ConnectionShares } from "../ConnectionShares.ts";
import { ticketKeys, tlsOptions, untilNextTicketKeys } from "./tlsOptions.ts";

interface Options {
  /** The certificate for a name, at once if it is in memory; undefined if there is none. Then the handshake fails. */
  findContext: (servername: string) => SecureContext | undefined | Promise<SecureContext | undefined>;
  /** session tickets are encrypted with keys derived from it */
  ticketSecret: Buffer;
  /** A certificate could not be looked up or decrypted. */
  onError: (error: Error) => void;
  http1: HttpServer;
  http2: { accept(socket: TLSSocket): void };
  shares: ConnectionShares;
}

/** Accepts TLS connections and passes each to the server for its negotiated protocol (ALPN). */
export function createTlsServer({ findContext, onError, ticketSecret, http1, http2, shares }: Options): Server {
  const server = createServer({
    ...tlsOptions,
    ticketKeys: ticketKeys(ticketSecret),
    SNICallback: (servername, done) => {
      const found = findContext(servername.toLowerCase());
      if (!(found instanceof Promise)) return done(null, found);
      found.then(
        (context) => done(null, context),
        (error) => {
          onError(error);
          done(error);
        },
      );
    },
  });
  server.on("connection", (socket) => shares.admit(socket));
  server.on("secureConnection", (socket) => {
    if (!shares.admitName(socket)) return;
    if (socket.alpnProtocol === "h2") http2.accept(socket);
    else http1.emit("connection", socket);
  });
  // Scanners and old browsers: nothing that an operator could fix.
  server.on("tlsClientError", (_error, socket) => socket.destroy());

  const rotate = () => {
    server.setTicketKeys(ticketKeys(ticketSecret));
    rotation = setTimeout(rotate, untilNextTicketKeys()).unref();
  };
  let rotation = setTimeout(rotate, untilNextTicketKeys()).unref();
  server.once("close", () => clearTimeout(rotation));
  return server;
}
