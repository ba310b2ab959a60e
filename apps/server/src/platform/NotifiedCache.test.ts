import { expect, test } from "vitest";
import { NotifiedCache } from "./NotifiedCache.ts";

function openCache() {
  const cache = new NotifiedCache<object>(() => true);
  let reads = 0;
  const get = (key: string, value?: object) =>
    cache.get(key, async () => {
      reads++;
      return value;
    });
  return { cache, get, reads: () => reads };
}

test("a flood of requests for one unknown name costs one read, until something changes", async () => {
  const { cache, get, reads } = openCache();
  await Promise.all(Array.from({ length: 100 }, () => get("unknown")));
  for (let n = 0; n < 100; n++) expect(await get("unknown")).toBeUndefined();
  expect(reads()).toBe(1);
  cache.forget("another");
  const value = {};
  expect(await get("unknown", value)).toBe(value);
  expect(reads()).toBe(2);
});

test("a flood of unknown names pushes out no entry", async () => {
  const { get, reads } = openCache();
  const value = {};
  await get("known", value);
  for (let n = 0; n < 30_000; n++) await get(`unknown ${n}`);
  const before = reads();
  expect(await get("known")).toBe(value);
  expect(reads()).toBe(before);
});

test("a read that began before an invalidation is not shared with callers after it", async () => {
  const cache = new NotifiedCache<{ version: number }>(() => true);
  const first = Promise.withResolvers<{ version: number }>();
  const old = cache.get("key", () => first.promise);
  cache.forget("key");
  const current = cache.get("key", async () => ({ version: 2 }));
  first.resolve({ version: 1 });
  expect([await old, await current]).toEqual([{ version: 1 }, { version: 2 }]);
  expect(cache.peek("key")).toEqual({ version: 2 });
});
