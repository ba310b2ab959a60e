import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { startS3Server } from "@nido/test-kit/s3Server";
import { expect, onTestFinished, test } from "vitest";
import { Bucket } from "./Bucket.ts";

test("objects of any size are stored, read, listed and removed", async () => {
  const bucket = new Bucket(new URL(await startS3Server(onTestFinished)));
  await bucket.put("a/b c&d.txt", Buffer.from("hello"));
  expect(String(await buffer(await bucket.read("a/b c&d.txt")))).toBe("hello");
  expect(String(await buffer(await bucket.read("a/b c&d.txt", { start: 1, end: 3 })))).toBe("ell");
  expect(await bucket.findDate("a/b c&d.txt")).toBeInstanceOf(Date);
  expect(await bucket.findDate("a/none")).toBeUndefined();

  const chunks = Array.from({ length: 45 }, (_, index) => Buffer.alloc(1_000_000, index));
  async function* content() {
    yield* chunks;
  }
  await bucket.upload("a/large", content());
  expect((await buffer(await bucket.read("a/large"))).equals(Buffer.concat(chunks))).toBe(true);
  async function* small() {
    yield Buffer.from("small");
  }
  await bucket.upload("b/small", small());
  expect(await bucket.list("a/")).toEqual(["a/b c&d.txt", "a/large"]);
  expect(await bucket.list("")).toEqual(["a/b c&d.txt", "a/large", "b/small"]);
  await bucket.remove("a/large");
  expect(await bucket.list("a/")).toEqual(["a/b c&d.txt"]);
});

test("all pages of a long list are read", async () => {
  const asked: (string | null)[] = [];
  const server = createServer((request, response) => {
    const token = new URL(request.url ?? "/", "http://bucket").searchParams.get("continuation-token");
    asked.push(token);
    const next = token ? "" : "<NextContinuationToken>a&amp;b=</NextContinuationToken>";
    response.end(`<R><IsTruncated>${!token}</IsTruncated><Key>${token ? "two" : "one"}</Key>${next}</R>`);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  expect(await new Bucket(new URL(`http://k:s@127.0.0.1:${port}/bucket`)).list("")).toEqual(["one", "two"]);
  expect(asked).toEqual([null, "a&b="]);
});

test("a call is repeated while the bucket is out of order, and not if it refuses", async () => {
  const statuses = [503, 500, 200];
  const server = createServer((request, response) => {
    request.resume();
    response.writeHead(request.url?.endsWith("refused") ? 403 : (statuses.shift() ?? 200)).end();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const bucket = new Bucket(new URL(`http://k:s@127.0.0.1:${port}/bucket`));
  await bucket.put("key", Buffer.from("x"));
  expect(statuses).toEqual([]);
  await expect(bucket.put("refused", Buffer.from("x"))).rejects.toThrow("403");
});

test("an upload whose source fails stores nothing", async () => {
  const bucket = new Bucket(new URL(await startS3Server(onTestFinished)));
  async function* broken() {
    yield Buffer.alloc(40_000_000);
    throw new Error("the source failed");
  }
  await expect(bucket.upload("broken", broken())).rejects.toThrow("the source failed");
  expect(await bucket.list("")).toEqual([]);
});
