import { hash } from "node:crypto";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describeItem, type SiteReport } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { cacheFileOf } from "./cacheFile.ts";
import { createSiteFolder } from "./createSiteFolder.ts";
import { findFiles } from "./findFiles.ts";
import { hashFiles } from "./hashFiles.ts";
import { reportOn } from "./siteReport.ts";

function itemsOf({ findings }: SiteReport): string[] {
  return findings.flatMap(({ items }) => items.map(describeItem));
}

test("each report covers the whole site, and reads again only what has changed", async () => {
  vi.stubEnv("XDG_CACHE_HOME", createSiteFolder({}));
  onTestFinished(() => void vi.unstubAllEnvs());
  const page = (body: string) => `<!doctype html><title>x</title>${body}`;
  const folder = createSiteFolder({
    "index.html": page('<a href="/gone">1</a><a href="/about">2</a>'),
    "about.html": page(""),
    "old-Ab12Cd34.js": "",
  });
  const report = async () => reportOn(folder, await hashFiles(folder, findFiles(folder).files, () => undefined));
  expect(itemsOf(await report())).toEqual(["index.html: /gone"]);

  // A bundle with another name: nothing of the pages has changed, and their old faults are still there.
  rmSync(join(folder, "old-Ab12Cd34.js"));
  writeFileSync(join(folder, "new-Cd34Ef56.js"), "1");
  expect(itemsOf(await report())).toEqual(["index.html: /gone"]);
  const files = await hashFiles(folder, findFiles(folder).files, () => undefined);
  writeFileSync(join(folder, "index.html"), "not read");
  expect(itemsOf(await reportOn(folder, files))).toEqual(["index.html: /gone"]);

  rmSync(join(folder, "about.html"));
  const withoutAbout = files.filter(({ path }) => path !== "about.html");
  expect(itemsOf(await reportOn(folder, withoutAbout))).toEqual(["index.html: /gone", "index.html: /about"]);

  writeFileSync(cacheFileOf(folder, "facts.json"), '{"format":1,"links":');
  const changed = [{ path: "index.html", size: 8, sha256: hash("sha256", "not read", "hex") }];
  expect(itemsOf(await reportOn(folder, changed))).toEqual([]);
});

test("what cannot be read is not remembered", async () => {
  vi.stubEnv("XDG_CACHE_HOME", createSiteFolder({}));
  onTestFinished(() => void vi.unstubAllEnvs());
  const text = '<!doctype html><a href="/gone">1</a>';
  const folder = createSiteFolder({ "index.html": text });
  const files = await hashFiles(folder, findFiles(folder).files, () => undefined);
  rmSync(join(folder, "index.html"));
  expect(itemsOf(await reportOn(folder, files))).toEqual([]);
  writeFileSync(join(folder, "index.html"), text);
  expect(itemsOf(await reportOn(folder, files))).toEqual(["index.html: /gone", "index.html"]);
});
