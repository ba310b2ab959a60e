import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

test("the bundle has no schema library, which takes as long to load as all the rest", () => {
  const bundle = readFileSync(new URL("../dist/program.cjs", import.meta.url), "utf8");
  expect(bundle).toContain("nido.json");
  expect(bundle).not.toContain("invalid_type");
});
