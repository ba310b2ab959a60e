import { setImmediate as turn } from "node:timers/promises";
import { expect, test } from "vitest";
import { createPage, PageCache } from "./PageCache.ts";

const kilobytes = 20;

function open() {
  const cache = new PageCache();
  const store = async (site: string, path: string, status = 200, owner = "ana") => {
    const body = Buffer.alloc(kilobytes * 1024);
    await cache.render(`${site}${path}`, "1", async () =>
      createPage({ status, headers: {}, body, owner, site, generation: "1" }),
    );
  };
  const has = (site: string, path: string) => cache.find(`${site}${path}`) !== undefined;
  return { store, has };
}

test("a storm of missing pages on one site pushes out no page, not even of that site", async () => {
  const { store, has } = open();
  await store("shop", "/");
  await store("shop", "/gone", 404);
  await store("blog", "/gone", 404);
  await store("other", "/", 200, "bea");
  for (let index = 0; index < 5000; index++) await store("shop", `/${index}`, 404);
  await turn();
  expect([has("shop", "/"), has("blog", "/gone"), has("other", "/"), has("shop", "/4999")]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(has("shop", "/gone")).toBe(false);
});

test("a site with very many pages pushes out its own, not those of the same customer's other site", async () => {
  const { store, has } = open();
  await store("blog", "/");
  for (let index = 0; index < 5000; index++) await store("shop", `/${index}`);
  await turn();
  expect([has("blog", "/"), has("shop", "/4999"), has("shop", "/0")]).toEqual([true, true, false]);
});

test("a page that is gone replaces the page, another error does not, and a page replaces an error", async () => {
  const cache = new PageCache();
  const put = (status: number) =>
    cache.render("key", "1", async () =>
      createPage({
        status,
        headers: {},
        body: Buffer.from(String(status)),
        owner: "ana",
        site: "blog",
        generation: "1",
      }),
    );
  for (const [status, found] of [
    [500, 500],
    [200, 200],
    [503, 200],
    [404, 404],
    [500, 500],
    [200, 200],
  ] as const) {
    await put(status);
    expect(cache.find("key")?.status).toBe(found);
  }
});
