import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, BlockList, connect as connectTcp, type Socket } from "node:net";
import { connect as connectTls, createSecureContext } from "node:tls";
import { listenOn } from "@nido/test-kit/listenOn";
import { eventually } from "@nido/test-kit/waitUntil";
import { expect, onTestFinished, test } from "vitest";
import { createKeys, createSelfSignedCertificate, toPem } from "../certificates/x509.ts";
import { ConnectionShares } from "./ConnectionShares.ts";
import { createTlsServer } from "./tls/TlsServer.ts";

/** An HTTP server with its TLS server, and a way to open connections to both. */
async function serve(limits: { ofAddress: number; ofName: number }, proxy?: string) {
  const proxies = new BlockList();
  if (proxy) proxies.addAddress(proxy);
  const shares = new ConnectionShares(proxies, limits);
  const http1 = createServer((_request, response) => response.end("served"));
  shares.limit(http1);
  const keys = await createKeys();
  const tomorrow = new Date(Date.now() + 86_400_000);
  const cert = await createSelfSignedCertificate(["*.example.com"], keys, tomorrow);
  const context = createSecureContext({ cert, key: toPem(keys.privateKey) });
  const tls = createTlsServer({
    findContext: () => context,
    ticketSecret: Buffer.alloc(32),
    onError: () => undefined,
    http1,
    http2: { accept: () => undefined },
    shares,
  });
  const port = await listenOn(http1);
  tls.listen(0, "127.0.0.1");
  await once(tls, "listening");
  onTestFinished(() => void tls.close());
  const securePort = (tls.address() as AddressInfo).port;
  /** Resolves to the socket, and whether a request on it is answered. */
  const use = (socket: Socket, host: string) =>
    new Promise<{ socket: Socket; isServed: boolean }>((resolve) => {
      onTestFinished(() => void socket.destroy());
      socket.on("error", () => undefined);
      socket.once("close", () => resolve({ socket, isServed: false }));
      socket.once("data", () => resolve({ socket, isServed: true }));
      socket.write(`GET / HTTP/1.1\r\nhost: ${host}\r\n\r\n`);
    });
  return {
    visit: (localAddress: string) => use(connectTcp({ host: "127.0.0.1", port, localAddress }), "a.example.com"),
    visitSecurely: (localAddress: string, servername: string) => {
      const options = { host: "127.0.0.1", port: securePort, localAddress, servername, rejectUnauthorized: false };
      return use(connectTls(options), servername);
    },
  };
}

test("an address has its share of the connections over HTTP and HTTPS together, and others are served", async () => {
  const { visit, visitSecurely } = await serve({ ofAddress: 3, ofName: 100 });
  const held = [await visit("127.0.0.2"), await visit("127.0.0.2"), await visitSecurely("127.0.0.2", "a.example.com")];
  expect(held.map(({ isServed }) => isServed)).toEqual([true, true, true]);
  expect((await visit("127.0.0.2")).isServed).toBe(false);
  expect((await visitSecurely("127.0.0.2", "a.example.com")).isServed).toBe(false);
  expect((await visit("127.0.0.3")).isServed).toBe(true);
  expect((await visitSecurely("127.0.0.3", "a.example.com")).isServed).toBe(true);

  held[0]?.socket.destroy();
  await eventually(async () => expect((await visit("127.0.0.2")).isServed).toBe(true));
});

test("a name has its share of the connections, however it is spelled, and other names are served", async () => {
  const { visitSecurely } = await serve({ ofAddress: 100, ofName: 2 });
  const held = [await visitSecurely("127.0.0.2", "a.example.com"), await visitSecurely("127.0.0.3", "A.example.com")];
  expect(held.map(({ isServed }) => isServed)).toEqual([true, true]);
  expect((await visitSecurely("127.0.0.4", "a.Example.com")).isServed).toBe(false);
  expect((await visitSecurely("127.0.0.4", "b.example.com")).isServed).toBe(true);

  held[0]?.socket.destroy();
  await eventually(async () => expect((await visitSecurely("127.0.0.4", "a.example.com")).isServed).toBe(true));
});

test("the connections of a trusted proxy are not limited by its address", async () => {
  const { visit } = await serve({ ofAddress: 1, ofName: 100 }, "127.0.0.9");
  for (let index = 0; index < 5; index++) expect((await visit("127.0.0.9")).isServed).toBe(true);
});
