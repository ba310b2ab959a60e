import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { Client } from "./Client.ts";
import { sendFiles } from "./publish/sendFiles.ts";

async function serve(listener: RequestListener) {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}

test("a server that does not answer is mentioned after some seconds, and each further attempt is announced", async () => {
  const mute = await serve(() => undefined);
  const onSilence = vi.fn();
  const waiting = new Client(mute, "t", { onSilence, onRetry: () => undefined });
  const answer = waiting.call("GET", "/me").catch((error) => error.key);
  await expect.poll(() => onSilence.mock.calls.length, { timeout: 30_000 }).toBe(1);
  waiting.close();
  expect(await answer).toBe("error_network");

  const broken = await serve((request) => request.destroy());
  const onRetry = vi.fn();
  const client = new Client(broken, "t", { onSilence: () => undefined, onRetry });
  await expect(client.call("GET", "/me")).rejects.toThrow();
  expect(onRetry.mock.calls).toEqual([
    [2, 4],
    [3, 4],
    [4, 4],
  ]);
  client.close();
});

test("requests go through the proxy that the environment names", async () => {
  const proxy = await serve((request, response) => {
    response.setHeader("content-type", "application/json").end(JSON.stringify({ asked: request.url }));
  });
  vi.stubEnv("HTTP_PROXY", proxy.href);
  onTestFinished(() => void vi.unstubAllEnvs());
  const client = new Client(new URL("http://nido.example"), "t");
  expect(await client.call("GET", "/me")).toEqual({ asked: "http://nido.example/api/cli/me" });
  client.close();
});

test("an answer that comes before the body is read is not lost", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nido-refused-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const size = 4_000_000;
  writeFileSync(join(folder, "film.mp4"), Buffer.alloc(size));
  const url = await serve((_, response) => {
    response.writeHead(413, { "content-type": "application/json", connection: "close" });
    response.end('{"error":"error_storage_full"}');
  });
  const client = new Client(url, "t");
  const deploy = { id: "d", folder, report: Promise.resolve({ findings: [], bytes: {} }) };
  const files = [{ path: "film.mp4", sha256: "0".repeat(64), size }];
  for (const onProgress of [undefined, () => undefined])
    await expect(sendFiles(client, deploy, files, onProgress)).rejects.toMatchObject({ key: "error_storage_full" });
  client.close();
});

test.each([
  ["fits into one request", 2_000_000],
  ["is read while it is sent", 20_000_000],
])("the progress of a single file that %s moves while it is sent", async (_, size) => {
  const folder = mkdtempSync(join(tmpdir(), "nido-progress-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  writeFileSync(join(folder, "film.mp4"), Buffer.alloc(size));
  let received = 0;
  const url = await serve((request, response) => {
    request.on("data", (chunk) => (received += chunk.length));
    request.on("end", () => response.setHeader("content-type", "application/json").end("{}"));
  });
  const client = new Client(url, "t");
  const parts: number[] = [];
  const file = { path: "film.mp4", sha256: "0".repeat(64), size };
  const deploy = { id: "d", folder, report: Promise.resolve({ findings: [], bytes: {} }) };
  await sendFiles(client, deploy, [file], (part) => parts.push(part));
  client.close();
  expect(received).toBeGreaterThan(size);
  expect(parts.length).toBeGreaterThan(5);
  expect([parts[0], parts.at(-1)]).toEqual([0, 1]);
  expect(parts.toSorted((one, other) => one - other)).toEqual(parts);
});
