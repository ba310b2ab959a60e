import { EventEmitter } from "node:events";
import { Readable } from "node:stream";
import { expect, test } from "vitest";
import type { BlobStore } from "../../deploys/blobs/BlobStore.ts";
import { FileCache } from "./FileCache.ts";

const megabyte = 2 ** 20;

/** A store whose blobs are all zeros. Reads of one account's blobs wait until `release` is called. */
function openStore(slowAccount: string) {
  const released = Promise.withResolvers<void>();
  const reads: string[] = [];
  const read = async (key: string) => {
    reads.push(key);
    if (key.startsWith(`${slowAccount}/`)) await released.promise;
    return Readable.from([Buffer.alloc(2 * megabyte)]);
  };
  return { store: { read } as unknown as BlobStore, reads, release: released.resolve };
}

test("another account's files evict a file that is being read, and its visitor still gets it", async () => {
  const { store, release } = openStore("ana");
  const files = new FileCache(store);
  const visit = files.find("ana", "digest", 2 * megabyte);
  for (let index = 0; index < 140; index++) await files.find("ben", `digest${index}`, 2 * megabyte);
  release();
  expect(await visit).toHaveLength(2 * megabyte);
});

test("concurrent visitors share one read, and a file that is too large is not cached", async () => {
  const { store, reads, release } = openStore("ana");
  const files = new FileCache(store);
  const visits = [files.find("ana", "digest", 2 * megabyte), files.find("ana", "digest", 2 * megabyte)];
  release();
  expect((await Promise.all(visits)).map((bytes) => bytes?.length)).toEqual([2 * megabyte, 2 * megabyte]);
  expect(reads).toHaveLength(1);
  expect(await files.find("ana", "large", 3 * megabyte)).toBeUndefined();
  expect(reads).toHaveLength(1);
});

test("a blob with another size than recorded is an error, and is read again next time", async () => {
  const { store, reads } = openStore("nobody");
  const files = new FileCache(store);
  for (let attempt = 0; attempt < 2; attempt++)
    await expect(files.find("ana", "digest", megabyte)).rejects.toThrow("instead of");
  expect(reads).toHaveLength(2);
});

test("files that slow visitors hold are limited for each customer; beyond that, files are streamed", async () => {
  const cache = new FileCache({ read: async () => Readable.from([Buffer.alloc(megabyte)]) } as unknown as BlobStore);
  const slow = new EventEmitter().setMaxListeners(0);
  for (let n = 0; n < 64; n++) cache.inUse.add("one", megabyte, slow, "close");
  expect(await cache.find("one", "another", megabyte)).toBeUndefined();
  expect(await cache.find("two", "file", megabyte)).toHaveLength(megabyte);
  slow.emit("close");
  expect(await cache.find("one", "another", megabyte)).toHaveLength(megabyte);
});
