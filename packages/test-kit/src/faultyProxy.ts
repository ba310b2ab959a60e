import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import type { StripeAccess } from "@nido/server/billing/Billing";
import { onTestFinished } from "vitest";

/** How the proxy treats a call. */
interface Fate {
  isPassedOn: boolean;
  isAnswered: boolean;
  /** called when the call has arrived, or, if it is passed on, when the provider has carried it out */
  onDone?(request: IncomingMessage): void;
  /** what the proxy says itself, in the place of the provider */
  answer?: { status: number; body: unknown } | undefined;
}

/** A proxy to the provider that treats each call as `fateOf` says. Returns the proxy's URL. */
export async function openFaultyProxy(
  { apiUrl }: StripeAccess,
  fateOf: (request: IncomingMessage) => Fate,
): Promise<URL> {
  const server = createServer((request, response) => {
    const { isPassedOn, isAnswered, onDone, answer: own } = fateOf(request);
    if (own) {
      request.resume();
      return response.writeHead(own.status, { "content-type": "application/json" }).end(JSON.stringify(own.body));
    }
    if (!isPassedOn) return onDone?.(request);
    const { method, url: path, headers } = request;
    const onward = send({ host: apiUrl?.hostname, port: apiUrl?.port, method, path, headers }, (answer) => {
      answer.on("end", () => onDone?.(request));
      if (!isAnswered) return answer.resume();
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      return answer.pipe(response);
    });
    onward.on("error", () => request.socket.destroy());
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
