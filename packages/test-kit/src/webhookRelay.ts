import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { webhookPath } from "@nido/server/billing/sync/webhookRoute";
import { onTestFinished } from "vitest";
import type { TestApp } from "./app.ts";

/** Passes webhook events to the server. The payment stand-in needs a webhook address before the server exists. */
export async function openWebhookRelay() {
  let target: TestApp | undefined;
  const relay = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const headers = request.headers as Record<string, string>;
    const answer = await target?.app.inject({
      method: "POST",
      url: webhookPath,
      headers,
      payload: Buffer.concat(body),
    });
    response.writeHead(answer?.statusCode ?? 503).end();
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => {
    relay.closeAllConnections();
    relay.close();
  });
  return {
    url: new URL(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`),
    passTo: (server: TestApp) => {
      target = server;
    },
  };
}
