import { expect, test } from "vitest";
import { parseRedirects } from "./redirects.ts";
import { findMistakes } from "./ruleMistakes.ts";

test.each([
  ["a chain", (index: number) => `/p${index} /p${index + 1}`],
  ["a chain whose paths grow", (index: number) => `/p${index}/* /p${index + 1}/x/:splat`],
])("a file with 1000 rules is looked through with few looks at the site: %s", (_, write) => {
  const text = Array.from({ length: 1000 }, (_, index) => write(index)).join("\n");
  let looks = 0;
  const has = (name: string) => {
    looks++;
    return name === "p1000.html";
  };
  const files = { has, keys: () => ["p1000.html"] };
  expect(findMistakes({ files, redirects: parseRedirects(text).rules })).toEqual(new Map());
  expect(looks).toBeLessThan(60_000);
});
