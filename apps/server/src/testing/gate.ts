import { once } from "node:events";
import { createServer, type IncomingMessage, request as send } from "node:http";
import type { AddressInfo } from "node:net";
import { onTestFinished } from "vitest";
import type { StripeAccess } from "../billing/Billing.ts";

interface Trap {
  method: string;
  path: RegExp;
  /** whether the provider carries it out; nobody hears of it either way */
  isPassedOn: boolean;
  sprung(): void;
}

/** The provider, behind a gate that can keep calls, or the answers to them, for ever. */
export async function openGate(access: StripeAccess) {
  let trap: Trap | undefined;
  const server = createServer((request, response) => {
    const caught = trap && isCaught(trap, request) ? trap : undefined;
    if (caught) trap = undefined;
    if (caught && !caught.isPassedOn) return caught.sprung();
    const { hostname: host, port } = access.apiUrl as URL;
    const { method, url: path, headers } = request;
    const onward = send({ host, port, method, path, headers }, (answer) => {
      if (caught) {
        answer.resume();
        return caught.sprung();
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
  return {
    apiUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** Keeps the next such call; resolves when it has come, or, passed on, when it has been carried out. */
    keepNext: (method: string, path: RegExp, isPassedOn: boolean) =>
      new Promise<void>((sprung) => {
        trap = { method, path, isPassedOn, sprung };
      }),
  };
}

function isCaught({ method, path }: Trap, request: IncomingMessage): boolean {
  return request.method === method && path.test(request.url ?? "");
}
