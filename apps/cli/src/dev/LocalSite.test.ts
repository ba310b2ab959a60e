import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { LocalSite } from "./LocalSite.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "nido-dev-"));
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
  rmSync(folder, { recursive: true, force: true });
});

test("the rules are looked through again only when files or rules have changed", async () => {
  writeFileSync(join(folder, "index.html"), "<title>x</title>");
  writeFileSync(join(folder, "_redirects"), "/a /b\n");
  const site = new LocalSite(folder, folder);
  const look = () => {
    vi.advanceTimersByTime(1000);
    site.look();
    return site.findings();
  };
  const first = await look();
  expect(first).toMatchObject([{ reason: "missing" }]);
  expect(await look()).toBe(first);
  writeFileSync(join(folder, "_redirects"), "/a /a\n");
  expect(await look()).toMatchObject([{ reason: "loop" }]);
  writeFileSync(join(folder, "_redirects"), "/a /b\n");
  writeFileSync(join(folder, "b.html"), "<title>x</title>");
  expect(await look()).toEqual([]);
});
