import { describe, expect, test } from "vitest";
import { headersFor, parseHeaderRules } from "./headerRules.ts";
import { parseRedirects } from "./redirects.ts";

describe("_headers", () => {
  test("apply to matching paths, and values of the same header are joined", () => {
    const { rules, faults } = parseHeaderRules("/*\n  X-A: 1\n\n# no\n/b/*\n  X-A: 2\n  Cache-Control: no-store\n");
    expect(faults).toEqual([]);
    expect(headersFor(rules, "/")).toEqual({ "x-a": "1" });
    expect(headersFor(rules, "/b/c")).toEqual({ "x-a": "1, 2", "cache-control": "no-store" });
  });

  test("under a path that cannot be read belong to no other path", () => {
    const { rules, faults } = parseHeaderRules("/a\n  X-A: 1\nb\n  X-B: 1\n");
    expect(rules).toMatchObject([{ pattern: { source: "/a" }, headers: [["x-a", "1"]] }]);
    expect(faults.map(({ line }) => line)).toEqual([3, 4]);
  });

  test("and _redirects are parsed fast even if they are crafted to be slow", () => {
    for (const text of [` a:${" ".repeat(200_000)}é`, `${" #".repeat(100_000)}\rx`, "x".repeat(250_000)]) {
      expect(parseHeaderRules(`/*\n${text}`).rules[0]?.headers).toEqual([]);
      expect(parseRedirects(text).rules).toEqual([]);
    }
  });

  test("never show a password to visitors", () => {
    const { rules, faults } = parseHeaderRules("/admin/*\n  Basic-Auth: me:secret\n");
    expect([rules[0]?.headers, faults[0]?.reason]).toEqual([[], "password"]);
  });

  test.each([
    "  Basic-Auth: me:secret",
    "  basic-auth : me:secret",
    "  Basic-Auth me:secret",
    "  X Basic-Auth: me:secret",
    "/admin/* Basic-Auth: me:secret",
    `  Basic-Auth: me:secret${" ".repeat(2000)}x`,
    "/a https://me:secret@host.example/ 200",
  ])("and _redirects are told without the password: %s", (line) => {
    const { faults } = parseHeaderRules(`${line}\n`);
    const quoted = [...faults, ...parseRedirects(`${line}\n`).faults].map(({ text }) => text);
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.join("\n")).not.toContain("secret");
  });

  test("cannot set cookies or message framing", () => {
    const text =
      "/*\n  Set-Cookie: a=1\n  Content-Length: 3\n  Transfer-Encoding: chunked\n  no colon\n  X: a\u0001\nx\n";
    const { rules, faults } = parseHeaderRules(text);
    expect(rules).toMatchObject([{ pattern: { source: "/*" }, headers: [] }]);
    expect(faults.map(({ reason }) => reason)).toEqual([
      "header",
      "header",
      "header",
      "unreadable",
      "unreadable",
      "unreadable",
    ]);
  });
});
