import { once } from "node:events";
import { createServer, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { StripeAccess } from "../billing/Billing.ts";

/**
 * The provider, behind a line that breaks: what changes something is passed on and carried out, and the
 * answer to the first `times` of each, or of each `only`, is lost.
 */
export async function dropAnswers(access: StripeAccess, times: number, only?: string): Promise<StripeAccess> {
  const lost = new Map<string, number>();
  const server = createServer((request, response) => {
    const { hostname: host, port } = access.apiUrl as URL;
    const { method, url: path, headers } = request;
    const onward = send({ host, port, method, path, headers }, (answer) => {
      const key = `${path} ${headers["idempotency-key"]}`;
      const count = lost.get(key) ?? 0;
      lost.set(key, count + 1);
      if (method !== "GET" && count < times && (only ?? path) === path) {
        answer.resume();
        answer.on("end", () => request.socket.destroy());
        return;
      }
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => request.socket.destroy());
    request.pipe(onward);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { ...access, apiUrl: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`) };
}
