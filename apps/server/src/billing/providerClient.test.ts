import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { eventually } from "@nido/test-kit/waitUntil";
import { fastify } from "fastify";
import { Stripe } from "stripe";
import { expect, onTestFinished, test } from "vitest";
import { connectStripe } from "./Billing.ts";
import { Catalogue } from "./catalogue/Catalogue.ts";
import { withinTime } from "./providerClient.ts";

/** A server in the place of the provider that answers the n-th call with the n-th answer, and later ones with the last. */
async function openProvider(...answers: ((response: ServerResponse) => void)[]) {
  let calls = 0;
  const server = createServer((request, response) => {
    request.resume();
    answers[Math.min(calls++, answers.length - 1)]?.(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const apiUrl = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  return { stripe: connectStripe({ secretKey: "sk_test_x", apiUrl }), calls: () => calls };
}

const says =
  (status: number, body: string, headers: Record<string, string> = {}) =>
  (response: ServerResponse) =>
    void response.writeHead(status, { "content-type": "application/json", ...headers }).end(body);
const customer = says(200, JSON.stringify({ id: "cus_1", object: "customer" }));

test.each([
  [502, '"bad gateway"'],
  [200, '"ok"'],
  [200, "null"],
  [200, "5"],
  [200, "[]"],
  [200, "{}"],
  [200, '{"error": "x"}'],
  [400, '{"error": 5}'],
  [403, '{"message": "forbidden"}'],
  [200, "<html>"],
])("the answer %i %s is a failed call, and never ends the process", async (status, body) => {
  const { stripe } = await openProvider(says(status, body));
  await expect(stripe.customers.retrieve("cus_1", {}, { maxNetworkRetries: 0 })).rejects.toThrow(
    Stripe.errors.StripeError,
  );
});

test("a call that the rate limit refuses is repeated after the time that the provider asks for", async () => {
  const limited = says(429, '{"error": {"type": "invalid_request_error"}}', { "retry-after": "0" });
  const { stripe, calls } = await openProvider(limited, limited, customer);
  expect(await stripe.customers.retrieve("cus_1")).toMatchObject({ id: "cus_1" });
  expect(calls()).toBe(3);
  const busy = await openProvider(limited);
  await expect(busy.stripe.customers.retrieve("cus_1")).rejects.toThrow(Stripe.errors.StripeRateLimitError);
  expect(busy.calls()).toBe(3);
});

test("all calls for a waiting customer share their time, even if the answer trickles", async () => {
  let isClosed = false;
  const trickle = (response: ServerResponse) => {
    response.writeHead(200, { "content-type": "application/json" });
    const timer = setInterval(() => response.write(" "), 20);
    response.on("close", () => {
      clearInterval(timer);
      isClosed = true;
    });
  };
  const { stripe, calls } = await openProvider(customer, trickle);
  const work = async () => {
    await stripe.customers.retrieve("cus_1");
    await stripe.customers.retrieve("cus_1");
  };
  await expect(withinTime(300, work)).rejects.toThrow(Stripe.errors.StripeError);
  expect(calls()).toBe(2);
  await eventually(() => expect(isClosed).toBe(true));
});

test("a catalogue that is read for several callers lets none of them wait longer than its own time", async () => {
  const { stripe } = await openProvider(() => undefined);
  const catalogue = new Catalogue(stripe, fastify().log);
  const [first, second] = [0, 1].map(() => withinTime(300, () => catalogue.find("price_1")));
  await expect(first).rejects.toThrow(Stripe.errors.StripeConnectionError);
  await expect(second).rejects.toThrow(Stripe.errors.StripeConnectionError);
});
