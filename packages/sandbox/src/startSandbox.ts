import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { createGoogle } from "./google/createGoogle.ts";

const prefix = "/google";

/**
 * Serves the stand-ins on loopback only. By 127.0.0.1, not by name: for the browser that is another site
 * than localhost, as Google is.
 */
export async function startSandbox(port: number, redirectUri: URL) {
  const server = createServer().listen(port, "127.0.0.1");
  await once(server, "listening");

  const issuer = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`);
  const client = {
    clientId: `sandbox-${randomBytes(6).toString("hex")}`,
    clientSecret: randomBytes(24).toString("hex"),
  };
  const google = createGoogle(issuer, { ...client, redirectUri: redirectUri.href });

  server.on("request", (request: IncomingMessage & { originalUrl?: string }, response) => {
    const url = request.url ?? "/";
    if (!url.startsWith(`${prefix}/`)) return response.writeHead(404).end();
    request.originalUrl = url; // the provider builds its links from it
    request.url = url.slice(prefix.length);
    return google(request, response);
  });

  return {
    google: { issuer, ...client, allowInsecure: true },
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
