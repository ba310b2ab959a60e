import { randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, onTestFinished, test, vi } from "vitest";
import { packSite } from "./packSite.ts";

/** The files of a site, too many for the buffers between tar and the reader. */
function createSite() {
  const root = mkdtempSync(join(tmpdir(), "nido-pack-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  for (const name of ["wp-content", "backup"]) mkdirSync(join(root, name));
  writeFileSync(join(root, "wp-content/large.bin"), randomBytes(5_000_000));
  writeFileSync(join(root, "site.json"), "{}");
  return { root, settings: root, snapshot: root };
}

test("a backup that takes longer than an hour fails, and a neighbour's is complete", async () => {
  const hours: { seconds: number; end: () => void }[] = [];
  vi.spyOn(AbortSignal, "timeout").mockImplementation((ms) => {
    const limit = new AbortController();
    hours.push({ seconds: ms / 1000, end: () => limit.abort() });
    return limit.signal;
  });
  onTestFinished(() => void vi.restoreAllMocks());
  const { signal } = new AbortController();
  const [slow, neighbour] = [packSite(createSite(), signal), packSite(createSite(), signal)];
  expect(hours.map(({ seconds }) => seconds)).toEqual([3600, 3600]);
  hours[0]?.end();
  const sizeOf = async (archive: Readable) => (await buffer(archive)).length;
  await expect(sizeOf(slow)).rejects.toThrow("aborted");
  expect(await sizeOf(neighbour)).toBeGreaterThan(5_000_000);
});
