import { once } from "node:events";
import { readFileSync } from "node:fs";
import type { IncomingHttpHeaders } from "node:http";
import { createServer, request as send } from "node:https";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { startAcmeServer } from "./acmeServer.ts";

export interface Exchange {
  path: string;
  status: number;
  headers: IncomingHttpHeaders;
  body: string;
}

type Authority = Pick<Awaited<ReturnType<typeof startAcmeServer>>, "directoryUrl" | "certificateFile" | "keyFile">;

/** A proxy between the product and its certificate authority. It can delay, change or replace each answer. */
export async function startAcmeProxy({ directoryUrl, certificateFile, keyFile }: Authority) {
  const target = new URL(directoryUrl);
  const pair = { cert: readFileSync(certificateFile), key: readFileSync(keyFile) };
  let change: (exchange: Exchange) => unknown = () => undefined;
  const server = createServer(pair, async (request, response) => {
    const { hostname, port } = target;
    // Pebble builds its addresses from the header Host, so all of them lead to this proxy.
    const { headers } = request;
    const onward = send({
      hostname,
      port,
      method: request.method,
      path: request.url,
      headers,
      rejectUnauthorized: false,
    });
    request.pipe(onward);
    try {
      const [answer] = await once(onward, "response");
      const body = (await buffer(answer)).toString();
      const exchange = { path: request.url ?? "", status: answer.statusCode, headers: { ...answer.headers }, body };
      await change(exchange);
      delete exchange.headers["content-length"];
      response.writeHead(exchange.status, exchange.headers).end(exchange.body);
    } catch {
      response.destroy();
    }
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const origin = `https://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    directoryUrl: origin + target.pathname,
    /** Changes each answer from now on. */
    onAnswer: (next: typeof change) => {
      change = next;
    },
    stop: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
