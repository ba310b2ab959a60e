import { LRUCache } from "lru-cache";
import { expect, test } from "vitest";
import { OwnerShares } from "./OwnerShares.ts";

function openCache() {
  const shares = new OwnerShares<Buffer>({
    share: 40,
    sizeOf: ({ length }) => length || 1,
    ownerOf: (_value, key) => key.split("/")[0] as string,
  });
  const cache = new LRUCache<string, Buffer, number>({
    maxSize: 100,
    sizeCalculation: shares.sizeCalculation,
    dispose: shares.dispose,
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context }) => Buffer.alloc(context),
  });
  shares.attach(cache);
  return cache;
}

test("an owner over its share loses its own oldest entries, never a neighbour's", async () => {
  const cache = openCache();
  for (let n = 0; n < 3; n++) cache.set(`ana/${n}`, Buffer.alloc(10));
  for (let n = 0; n < 500; n++) await cache.forceFetch(`evil/${n}`, { context: 10 });
  expect([0, 1, 2].map((n) => cache.has(`ana/${n}`))).toEqual([true, true, true]);
  const left = [...cache.keys()].filter((key) => key.startsWith("evil/"));
  expect(left.toSorted()).toEqual(["evil/496", "evil/497", "evil/498", "evil/499"]);
});

test("an overwritten entry is counted once, and a deleted one no longer", async () => {
  const cache = openCache();
  for (let n = 0; n < 20; n++) cache.set("ana/same", Buffer.alloc(30));
  for (let n = 0; n < 20; n++) {
    cache.set("ana/gone", Buffer.alloc(9));
    cache.delete("ana/gone");
  }
  cache.set("ana/new", Buffer.alloc(10));
  await Promise.resolve();
  expect([...cache.keys()].toSorted()).toEqual(["ana/new", "ana/same"]);
  // A single entry that is larger than the share stays until the next one comes.
  cache.set("bea/large", Buffer.alloc(50));
  await Promise.resolve();
  expect(cache.has("bea/large")).toBe(true);
});
