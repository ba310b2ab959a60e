import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { encodeSizes, FileSizes } from "./FileSizes.ts";

test("FileSizes finds the size of each file by its digest, and nothing for others", () => {
  const digest = (text: string) => createHash("sha256").update(text).digest("hex");
  for (const count of [0, 1, 2, 777]) {
    const files = Array.from({ length: count }, (_, n) => ({ sha256: digest(`file ${n}`), size: n * 1_000_003 }));
    const sizes = new FileSizes(Buffer.from(encodeSizes([...files, ...files])));
    expect(sizes.count).toBe(count);
    for (const { sha256, size } of files) expect(sizes.get(sha256)).toBe(size);
    expect(sizes.get(digest("another"))).toBeUndefined();
  }
});
