import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { connect, type Socket } from "node:net";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test } from "vitest";
import { createFastify } from "../app/createFastify.ts";
import { parseConfig } from "../config/parseConfig.ts";

/** More than the buffers of two sockets. */
const large = Buffer.alloc(64 * 2 ** 20, "a");

/** The HTTP server with a route for a large response, and one whose response takes until `release` is called. */
async function serve() {
  const app = createFastify(parseConfig({ LOG_LEVEL: "silent" }));
  onTestFinished(() => app.close());
  const late = Promise.withResolvers<string>();
  app.get("/large", (_request, reply) => reply.send(large));
  app.get("/late", () => late.promise);
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo;
  /** Both ends of a connection on which a page is requested. The visitor reads nothing until told. */
  const request = async (path: string) => {
    const connected = once(app.server, "connection") as Promise<[Socket]>;
    const visitor = connect(port, "127.0.0.1").pause();
    onTestFinished(() => void visitor.destroy());
    visitor.on("error", () => undefined);
    const requested = once(app.server, "request");
    visitor.write(`GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`);
    const [[served]] = await Promise.all([connected, requested]);
    await eventually(() => expect(served.timeout).toBe(60_000));
    return { visitor, served };
  };
  return { request, release: () => late.resolve("at last") };
}

/** What Node does when the time of a socket is over: fake timers do not reach its own. */
function timeOut(socket: Socket) {
  (socket as unknown as { _onTimeout(): void })._onTimeout();
}

/** The bytes that the kernel has not taken yet. */
function unsent(socket: Socket): number {
  return (socket as unknown as { _handle: { writeQueueSize: number } })._handle.writeQueueSize;
}

test("a visitor who reads nothing of a response is disconnected; one who reads slowly, or has to wait for it, is not", async () => {
  const { request, release } = await serve();
  const [idle, slow, patient] = [await request("/large"), await request("/large"), await request("/late")];
  for (const { served } of [idle, slow]) await eventually(() => expect(served.writableLength).toBeGreaterThan(0));
  let received = 0;
  slow.visitor.on("data", (chunk) => {
    received += chunk.length;
    slow.visitor.pause();
  });
  for (let minute = 0; minute < 4; minute++) {
    const before = unsent(slow.served);
    // The kernel sends more only when much of the visitor's buffer is free.
    await eventually(() => {
      slow.visitor.resume();
      expect(unsent(slow.served)).toBeLessThan(before);
    });
    for (const { served } of [idle, slow, patient]) timeOut(served);
  }
  expect(idle.served.destroyed).toBe(true);
  expect([slow.served.destroyed, patient.served.destroyed]).toEqual([false, false]);

  release();
  patient.visitor.resume();
  const [answer] = await once(patient.visitor, "data");
  expect(String(answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*at last$/);
  slow.visitor.removeAllListeners("data").on("data", (chunk) => {
    received += chunk.length;
  });
  slow.visitor.resume();
  await eventually(() => expect(received).toBeGreaterThan(large.length));
});
