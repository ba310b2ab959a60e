import { hash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { writeInThread } from "./writeInThread.ts";

test("bodies that arrive at once are all written, and a wrong one does not keep the others from it", async () => {
  const folder = mkdtempSync(join(tmpdir(), "nido-writing-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const contents = Array.from({ length: 12 }, (_, index) => `${index} `.repeat(100_000));
  const results = await Promise.allSettled(
    contents.map((text, index) => {
      const content = new TextEncoder().encode(text);
      const sha256 = index % 4 === 3 ? "0".repeat(64) : hash("sha256", text, "hex");
      const files = [{ path: join(folder, `${index}`), start: 0, size: content.length, sha256 }];
      return writeInThread({ bytes: content.buffer, files });
    }),
  );
  for (const [index, text] of contents.entries())
    if (index % 4 === 3) expect(results[index]).toMatchObject({ reason: { key: "error_digest_mismatch" } });
    else {
      expect(results[index]).toMatchObject({ value: { byteLength: text.length } });
      expect(readFileSync(join(folder, `${index}`), "utf8") === text).toBe(true);
    }
});
