import { lowStorage } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { Terminal } from "../Terminal.ts";
import { texts } from "../texts.ts";
import { createSiteFolder } from "./createSiteFolder.ts";
import { warnAboutSite } from "./warnAboutSite.ts";

function warningsAt(used: number, allowed: number): string[] {
  const terminal = new Terminal({ isJson: false, isPlain: true });
  const warn = vi.spyOn(terminal, "warn").mockImplementation(() => undefined);
  onTestFinished(() => warn.mockRestore());
  const folder = createSiteFolder({ "index.html": "" });
  const files = [{ path: "index.html", sha256: "0".repeat(64), size: 0 }];
  const plan = { id: "1", added: [], changed: [], removed: [], missing: [], storage: { used, allowed } };
  warnAboutSite(texts.en, terminal, folder, files, plan);
  return warn.mock.calls.map(([text]) => text);
}

test("a customer is told that the storage is nearly full before it is full", () => {
  const allowed = 1e9;
  expect(warningsAt(lowStorage * allowed, allowed)).toEqual([]);
  expect(warningsAt(0.95 * allowed, allowed)).toEqual([expect.stringContaining("use 95% of your storage")]);
});
