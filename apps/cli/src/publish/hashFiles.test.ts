import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { createSiteFolder } from "./createSiteFolder.ts";
import { findFiles } from "./findFiles.ts";
import { hashFiles } from "./hashFiles.ts";

test("an unchanged file is not read again, and an unreadable cache is an empty cache", async () => {
  const home = createSiteFolder({});
  vi.stubEnv("XDG_CACHE_HOME", home);
  const folder = createSiteFolder({ "a.txt": "one" });
  const hash = async (ignoreCache?: boolean) => {
    const [file] = await hashFiles(folder, findFiles(folder).files, () => undefined, ignoreCache);
    return file?.sha256;
  };
  const right = await hash();
  // A file that has just changed is not cached: it could change again within the clock's resolution.
  const cacheFile = () => join(home, "nido", readdirSync(join(home, "nido"))[0] ?? "");
  const cached = () => readFileSync(cacheFile(), "utf8");
  expect(cached()).toBe("[]");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  expect(await hash()).toBe(right);
  writeFileSync(cacheFile(), cached().replace(right ?? "", "from cache"));
  expect(await hash()).toBe("from cache");
  expect(await hash(true)).toBe(right);

  // Some build tools write files of the same size with a fixed mtime.
  const { mtime } = statSync(join(folder, "a.txt"));
  writeFileSync(join(folder, "a.txt"), "two");
  utimesSync(join(folder, "a.txt"), mtime, mtime);
  expect(await hash()).not.toBe(right);
  writeFileSync(cacheFile(), "[[");
  expect(await hash()).not.toBe(right);
});
