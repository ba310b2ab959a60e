import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { folderSize, folderSizeSync, minFileBytes } from "./folderSize.ts";

test("empty files and folders count, and both forms agree", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nido-size-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (let n = 0; n < 100; n++) writeFileSync(join(folder, `empty-${n}`), "");
  mkdirSync(join(folder, "inner"));
  writeFileSync(join(folder, "inner/large"), "");
  truncateSync(join(folder, "inner/large"), 10_000_000);
  const expected = 101 * minFileBytes + 10_000_000;
  expect([await folderSize(folder), folderSizeSync(folder)]).toEqual([expected, expected]);
});
