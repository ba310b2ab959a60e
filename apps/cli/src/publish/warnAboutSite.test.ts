import { lowStorage } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { Terminal } from "../Terminal.ts";
import { texts } from "../texts.ts";
import { createSiteFolder } from "./createSiteFolder.ts";
import { warnAboutSite } from "./warnAboutSite.ts";

function warningsOf(content: Record<string, string>, storage = { used: 0, allowed: 1 }, lang: "es" | "en" = "en") {
  const terminal = new Terminal({ isJson: false, isPlain: true });
  const warn = vi.spyOn(terminal, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const folder = createSiteFolder({ "index.html": "", ...content });
  const files = ["index.html", ...Object.keys(content)].map((path) => ({ path, sha256: "0".repeat(64), size: 0 }));
  const plan = { id: "1", added: [], changed: [], removed: [], missing: [], storage };
  const ignored = warnAboutSite(texts[lang], terminal, folder, files, plan);
  return { ignored, warnings: warn.mock.calls.map(([text]) => text) };
}

const warningsAt = (used: number, allowed: number) => warningsOf({}, { used, allowed }).warnings;

test("every rule that is not followed is told with its reason, and many of them once", () => {
  const redirects = [...Array.from({ length: 20_000 }, () => "/a /b 999"), "/about /about.html 301!", "/x /y"];
  const { ignored, warnings } = warningsOf({
    "about.html": "",
    _redirects: redirects.join("\n"),
    _headers: "/*\n  Basic-Auth: me:secret\n",
  });
  expect(warnings.map((text) => text.split("\n")[0])).toEqual([
    "_redirects: 20000 lines will be ignored. Use the code 301, 302, 303, 307, 308, 200 or 404.",
    "_redirects: 1 line will be ignored. It leads back to the same page, because pages are shown without “.html”.",
    "_headers: 1 line will be ignored. Passwords can't be set in “_headers”. The page is open to everyone.",
  ]);
  expect(warnings[0]?.split("\n")).toEqual([
    expect.anything(),
    ...[1, 2, 3, 4, 5].map((line) => `  ${line}: /a /b 999`),
    "  …",
  ]);
  expect(ignored).toHaveLength(100);
  expect(ignored[0]).toEqual({ file: "_redirects", line: 1, text: "/a /b 999", reason: "status" });
});

test("a rules file that is too large is told", () => {
  const { warnings } = warningsOf({ _redirects: "/a /b\n".repeat(60_000) }, undefined, "es");
  expect(warnings).toEqual(["_redirects: el archivo tiene más de 256 kB y no se tendrá en cuenta."]);
});

test("a customer is told that the storage is nearly full before it is full", () => {
  const allowed = 1e9;
  expect(warningsAt(lowStorage * allowed, allowed)).toEqual([]);
  expect(warningsAt(0.95 * allowed, allowed)).toEqual([expect.stringContaining("use 95% of your storage")]);
});
