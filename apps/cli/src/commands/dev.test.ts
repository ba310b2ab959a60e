import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { startProgram } from "@nido/test-kit/startProgram";
import { expect, onTestFinished, test } from "vitest";
import { createSiteFolder } from "../publish/createSiteFolder.ts";

const program = resolve(import.meta.dirname, "../../dist/nido.cjs");

test("a folder is served as it would be once published, and changes are seen", async () => {
  const folder = createSiteFolder({
    "index.html": "home",
    "about.html": "about",
    "blog/index.html": "blog",
    "404.html": "nowhere",
    "assets/app-Ab12Cd34.js": "app()",
    "días.txt": "hola",
    _redirects: "/old/* /blog/:splat 302\n/app/* /index.html 200\n/bad 999\n",
    _headers: "/about\n  X-Frame-Options: DENY\n",
  });
  const home = mkdtempSync(join(tmpdir(), "nido-dev-"));
  const env = { PATH: process.env["PATH"], HOME: home, LANG: "en_GB.UTF-8" };
  const { child, output } = startProgram(process.execPath, [program, "dev", folder, "--port", "0"], { cwd: home, env });
  onTestFinished(() => {
    child.kill();
    rmSync(home, { recursive: true, force: true });
  });
  await expect.poll(output, { timeout: 30_000 }).toMatch(/http:\/\/localhost:\d+\//);
  const [url = ""] = /http:\/\/localhost:\d+/.exec(output()) ?? [];
  expect(output()).toMatch(/_redirects: 1 line will be ignored\./);
  const visit = async (path: string) => {
    const response = await fetch(url + path, { redirect: "manual" });
    return { status: response.status, text: await response.text(), headers: response.headers };
  };
  for (const [path, status, text] of [
    ["/", 200, "home"],
    ["/about", 200, "about"],
    ["/about.html", 308, ""],
    ["/blog", 308, ""],
    ["/old/x?y=1", 302, ""],
    ["/app/deep", 200, "home"],
    ["/nothing", 404, "nowhere"],
    ["/d%C3%ADas.txt", 200, "hola"],
    ["/_redirects", 404, "nowhere"],
  ] as const)
    expect([path, await visit(path)]).toMatchObject([path, { status, text }]);
  expect((await visit("/old/x?y=1")).headers.get("location")).toBe("/blog/x?y=1");
  const { headers } = await visit("/about");
  expect([headers.get("x-frame-options"), headers.get("content-type")]).toEqual(["DENY", "text/html; charset=utf-8"]);
  expect((await visit("/assets/app-Ab12Cd34.js")).headers.get("cache-control")).toContain("immutable");
  expect(output()).toContain("302 GET /old/x?y=1 → /blog/x?y=1");

  writeFileSync(join(folder, "new.html"), "new");
  writeFileSync(join(folder, "_redirects"), "/elsewhere /new\n");
  await expect.poll(async () => (await visit("/new")).text).toBe("new");
  expect((await visit("/elsewhere")).headers.get("location")).toBe("/new");

  // Most builds begin with removing the folder.
  rmSync(folder, { recursive: true });
  await expect.poll(async () => (await visit("/new")).status).toBe(503);
  mkdirSync(folder);
  writeFileSync(join(folder, "new.html"), "newer");
  await expect.poll(async () => (await visit("/new")).text).toBe("newer");
});
