import { connect as connectTcp, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { connect as connectTls } from "node:tls";
import { openConnection, startWithSite } from "@nido/test-kit/httpsSite";
import { eventually } from "@nido/test-kit/waitUntil";
import { memoryOf, webProcesses } from "@nido/test-kit/webProcesses";
import { expect, onTestFinished, test } from "vitest";

/** npm run test:long sets it to 10,000. */
const isLong = process.env["NIDO_TEST_CONNECTIONS"] !== undefined;
const idle = Number(process.env["NIDO_TEST_CONNECTIONS"] ?? 400);
const slow = Math.max(500, idle / 5);
/** One address has a limited share of the connections, so they come from several. */
const perAddress = 200;
const preface = Buffer.concat([
  Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
  Buffer.from("000000040000000000", "hex"),
]);

function localAddress(index: number): string {
  const number = 2 + Math.floor(index / perAddress);
  return `127.0.${number >> 8}.${number & 255}`;
}

/** Opens connections, a hundred at a time, and waits for their handshakes. */
async function openIdle(port: number, first: number, count: number, protocol: "h2" | "http/1.1") {
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
  });
  for (let index = first; index < first + count; index += 100) {
    const batch = Array.from({ length: Math.min(100, first + count - index) }, (_, offset) => {
      const options = {
        host: "127.0.0.1",
        port,
        localAddress: localAddress(index + offset),
        servername: "folio.localhost",
        ALPNProtocols: [protocol],
        rejectUnauthorized: false,
      };
      return new Promise<void>((resolve, reject) => {
        const socket = connectTls(options, () => {
          if (protocol === "h2") socket.write(preface);
          resolve();
        });
        socket.on("error", reject);
        sockets.push(socket);
      });
    });
    await Promise.all(batch);
  }
  await pause(1000);
  return sockets;
}

test(`${idle} idle connections over two processes take a bounded amount of memory, and visitors are served`, async () => {
  const { port, pid } = await startWithSite({ PROCESSES: "2" });
  const pids = webProcesses(pid);
  expect(pids).toHaveLength(2);
  const visit = async () => {
    const { request, session } = openConnection(port, "folio.localhost");
    expect(await request("folio.localhost")).toMatchObject({ status: 200, text: "<h1>folio</h1>" });
    session.destroy();
  };
  for (let index = 0; index < 20; index++) await visit();
  let before = memoryOf(pids);
  for (const [index, protocol] of (["http/1.1", "h2"] as const).entries()) {
    const sockets = await openIdle(port, (index * idle) / 2, idle / 2, protocol);
    expect(sockets.filter((socket) => socket.destroyed)).toEqual([]);
    const after = memoryOf(pids);
    const each = (after - before) / (idle / 2) / 1000;
    console.log(`${idle / 2} idle connections (${protocol}): ${each.toFixed(1)} kB each`);
    // With few connections, other changes in the processes' memory would distort the result.
    if (idle >= 5000) expect(each).toBeLessThan(100);
    before = after;
  }
  for (let index = 0; index < 20; index++) await visit();
});

test("an address that takes all connections it can get over plain HTTP leaves room for visitors, over HTTP and HTTPS", async () => {
  const { port, httpPort } = await startWithSite();
  const sockets = Array.from({ length: 600 }, () => {
    const socket = connectTcp({ host: "127.0.0.1", port: httpPort, localAddress: "127.0.0.2" });
    onTestFinished(() => void socket.destroy());
    return socket.on("error", () => undefined).resume();
  });
  await eventually(() => expect(sockets.filter(({ closed }) => closed)).toHaveLength(600 - 512));
  const visitor = openConnection(port, "folio.localhost");
  expect(await visitor.request("folio.localhost")).toMatchObject({ status: 200 });
  expect((await fetch(`http://127.0.0.1:${httpPort}/healthz`)).status).toBe(200);
});

test(`${slow} connections that never finish their handshake or their request leave room for visitors`, async () => {
  const { port } = await startWithSite();
  const sockets = Array.from({ length: slow }, (_, index) => {
    const options = { host: "127.0.0.1", port, localAddress: localAddress(index) };
    const tls = { ...options, servername: "folio.localhost", rejectUnauthorized: false };
    const socket = index % 2 ? connectTcp(options) : connectTls(tls);
    socket.on("error", () => undefined);
    socket.write(index % 2 ? Buffer.from([0x16, 0x03, 0x01]) : "GET / HTTP/1.1\r\nhost: folio.loc");
    return socket;
  });
  const dripping = setInterval(() => {
    for (const [index, socket] of sockets.entries()) if (index % 2 === 0 && socket.writable) socket.write("a");
  }, 1000);
  onTestFinished(() => {
    clearInterval(dripping);
    for (const socket of sockets) socket.destroy();
  });
  await pause(2000);
  for (let visitor = 0; visitor < 5; visitor++) {
    const { request } = openConnection(port, "folio.localhost");
    for (let index = 0; index < 10; index++) expect(await request("folio.localhost")).toMatchObject({ status: 200 });
  }
  // Connections with an unfinished request are closed after a minute. Only the long test waits for that.
  const watched = isLong ? sockets : sockets.filter((_, index) => index % 2);
  await eventually(() => expect(watched.filter((socket) => !socket.destroyed && !socket.readableEnded)).toEqual([]));
});
