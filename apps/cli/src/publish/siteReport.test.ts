import { lowStorage, type SiteReport } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { Terminal } from "../Terminal.ts";
import { texts } from "../texts.ts";
import { warnAboutSite } from "./siteReport.ts";
import { warnAboutStorage } from "./warnAboutPlan.ts";

function warningsOf(warnAbout: (terminal: Terminal) => void) {
  const terminal = new Terminal({ isJson: false, isPlain: true });
  const warn = vi.spyOn(terminal, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  warnAbout(terminal);
  return warn.mock.calls.map(([text]) => text);
}

test("findings are shown with their first places", () => {
  const items = Array.from({ length: 20 }, (_, index) => ({ file: "_redirects", line: index + 1, text: "/a /b 999" }));
  const report: SiteReport = {
    findings: [
      { kind: "rule", reason: "status", count: 20_000, items },
      { kind: "title", count: 1, items: [{ file: "a.html" }] },
    ],
    bytes: {},
  };
  const [rules, title] = warningsOf((terminal) => warnAboutSite(texts.en, terminal, report));
  expect(rules?.split("\n")).toEqual([
    "_redirects: 20000 lines will be ignored. Use the code 301, 302, 303, 307, 308, 200 or 404.",
    ...items.slice(0, 10).map(({ line }) => `  _redirects:${line}: /a /b 999`),
    "  …",
  ]);
  expect(title).toBe("1 page has no title.\n  a.html");
});

test("a customer is told that the storage is nearly full before it is full", () => {
  const warnAt = (used: number, allowed: number) =>
    warningsOf((terminal) =>
      warnAboutStorage(texts.en, terminal, {
        added: [],
        changed: [],
        removed: [],
        missing: [],
        storage: { used, allowed },
      }),
    );
  expect(warnAt(lowStorage * 1e9, 1e9)).toEqual([]);
  expect(warnAt(0.95e9, 1e9)).toEqual([expect.stringContaining("use 95% of your storage")]);
});
