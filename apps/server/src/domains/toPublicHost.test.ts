import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { toPublicHost } from "./toPublicHost.ts";

const sites = {
  scheme: "https:",
  domain: "sites.example.net",
  appHost: "panel.example.com",
  addresses: [],
  hasWildcard: true,
};
const names = readFileSync(new URL("./toPublicHost.cases.txt", import.meta.url), "utf8")
  .split("\n")
  .filter((line) => line.startsWith('"'))
  .map((line) => {
    const [, typed = "", host] = /^(".*")(?: (\S+))?$/.exec(line) ?? [];
    return [JSON.parse(typed) as string, host] as const;
  });

test("toPublicHost.cases.txt has at least 500 entries", () => expect(names.length).toBeGreaterThanOrEqual(500));

test.each(names)("toPublicHost(%j) is %s", (typed, host) => expect(toPublicHost(typed, sites)).toBe(host));
