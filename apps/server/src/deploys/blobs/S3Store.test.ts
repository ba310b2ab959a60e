import { buffer } from "node:stream/consumers";
import { startBucket } from "@nido/sandbox";
import { createCustomer } from "@nido/test-kit/app";
import { openPublisher } from "@nido/test-kit/publish";
import { ask } from "@nido/test-kit/sites";
import { expect, onTestFinished, test } from "vitest";
import { Bucket } from "../../platform/Bucket.ts";
import { compressDeploy } from "../compressDeploy.ts";
import { S3Store } from "./S3Store.ts";

async function openBucket() {
  const bucket = await startBucket({ key: "KEY", secret: "s3cret" });
  onTestFinished(bucket.stop);
  return bucket;
}

test("S3Store stores only complete blobs, reads ranges, and removes only old blobs", async () => {
  const { url, objects } = await openBucket();
  const store = new S3Store(new Bucket(new URL(url)));
  const bytes = Buffer.from("0123456789");
  await store.put("user/a", bytes, 10);
  expect(await buffer(await store.read("user/a"))).toEqual(bytes);
  expect(String(await buffer(await store.read("user/a", { start: 2, end: 4 })))).toBe("234");
  async function* broken() {
    yield bytes;
    throw new Error("the line broke");
  }
  await expect(store.put("user/b", broken(), 20)).rejects.toThrow();
  expect([...objects.keys()]).toEqual(["/bucket/user/a"]);
  await store.removeOlder(["user/a", "user/none"], new Date(Date.now() - 60_000));
  expect(objects.size).toBe(1);
  await store.removeOlder(["user/a"], new Date(Date.now() + 60_000));
  expect(objects.size).toBe(0);
  await expect(store.read("user/a")).rejects.toThrow("404");
  const wrong = new S3Store(new Bucket(new URL(url.replace("s3cret", "wrong"))));
  await expect(wrong.put("user/a", bytes, 10)).rejects.toThrow("403");
});

test("a site is published to an S3 bucket and served from it", async () => {
  const { url, objects } = await openBucket();
  const { cli, address, server, userId } = await openPublisher(createCustomer, { env: { S3_URL: url } });
  const large = Buffer.alloc(3_000_000, "x");
  const { id } = await cli.publish("folio", { "index.html": "hola ".repeat(200), "large.bin": large });
  await compressDeploy(server.deploys, { deployId: id, userId });
  expect(objects.size).toBe(4);
  const visit = (path: string, headers = {}) => ask(address, "folio.localhost:3000", path, { headers });
  expect((await visit("/")).text).toContain("hola");
  expect((await visit("/large.bin")).body.equals(large)).toBe(true);
  expect((await visit("/large.bin", { range: "bytes=5-9" })).body).toHaveLength(5);
});
