import { once } from "node:events";
import type { BlockList } from "node:net";
import type { FastifyInstance } from "fastify";
import type { Certificates } from "../../certificates/createCertificates.ts";
import type { Shutdown } from "../../http/Shutdown.ts";
import { portError, portSharing } from "../../platform/requireFreePort.ts";
import { type ConnectionShares, maxConnections } from "../ConnectionShares.ts";
import type { FastPath } from "../fastPath/FastConnection.ts";
import { behindProxy } from "./proxyProtocol.ts";
import { serveHttp2 } from "./serveHttp2.ts";
import { createTlsServer } from "./TlsServer.ts";

interface Options {
  app: FastifyInstance;
  path: FastPath;
  certificates: Certificates;
  /** load balancers that send the visitor's address first */
  proxies: BlockList | undefined;
  shares: ConnectionShares;
  shutdown: Shutdown;
}

/** HTTPS: a second listener for the same application, over HTTP/1.1 and HTTP/2. */
export function createHttps({ app, path, certificates, proxies, shares, shutdown }: Options) {
  const { contexts, files, ticketSecret } = certificates;
  const http2 = serveHttp2({
    path,
    covers: contexts.covers,
    shares,
    route: (request, response) => app.routing(request, response),
  });
  const server = createTlsServer({
    findContext: contexts.find,
    onError: (error) => app.log.warn({ err: error }, "could not load a certificate for a handshake"),
    ticketSecret,
    http1: app.server,
    http2,
    shares,
  });
  const listener = proxies ? behindProxy(server, proxies) : server;
  listener.maxConnections = maxConnections;
  shutdown.watch(listener);
  app.addHook("preClose", async () => {
    files.stop();
    http2.drain();
  });
  app.addHook("onClose", async () => http2.destroy());
  return {
    drain: http2.drain,
    listen: async (port: number, host: string) => {
      await files.start();
      listener.listen({ port, host, ...portSharing });
      await once(listener, "listening").catch((error) => {
        throw portError("HTTPS_PORT", port, host, error);
      });
    },
  };
}
