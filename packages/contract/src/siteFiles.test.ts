import { describe, expect, test } from "vitest";
import { headersFor, parseHeaderRules } from "./headerRules.ts";
import { followRedirect, parseRedirects } from "./redirects.ts";
import { findCollision, frameHead, pathFault } from "./siteFiles.ts";

describe("a path", () => {
  test.each([
    ["index.html", undefined],
    [".well-known/acme", undefined],
    ["a#b?.html", undefined],
    ["", "empty"],
    ["a//b", "empty"],
    ["a/", "empty"],
    ["/a", "absolute"],
    ["c:/a", "absolute"],
    ["..", "outside"],
    ["a/./b", "outside"],
    ["a\\b", "backslash"],
    ["a\u0000", "control"],
    ["a\nb", "control"],
    ["\udc00", "control"],
    [".git/x", "hidden"],
    ["a/.well-known/x", "hidden"],
    ["ñ".repeat(128), "long"],
    ["a/".repeat(501).slice(0, -1), "long"],
  ])("%j: %s", (path, fault) => expect(pathFault(path)).toBe(fault));

  test("cannot go together with one that differs by case, by accents' spelling, or lies inside it", () => {
    expect(findCollision(["a", "b/c", "b/d"])).toBeUndefined();
    expect(findCollision(["A", "a"])).toEqual(["A", "a"]);
    expect(findCollision(["b/c", "B"])).toEqual(["B", "b/c"]);
    expect(findCollision(["é", "e\u0301"])).toHaveLength(2);
  });
});

test("a file's head on its way is its digest and its size", () => {
  const head = frameHead({ sha256: "0f".repeat(32), size: 258 });
  expect([...head]).toEqual([...Array(32).fill(15), 0, 0, 0, 0, 0, 0, 1, 2]);
});

describe("_redirects", () => {
  const follow = (line: string, path: string, query = "") => {
    const [rule] = parseRedirects(line).rules;
    return rule && followRedirect(rule, path, new URLSearchParams(query));
  };
  test.each([
    ["/a /b", "/a", "", "/b"],
    ["/a /b", "/a/", "", "/b"],
    ["/a /b", "/ab", "", undefined],
    ["/blog/* /news/:splat", "/blog/2026/x", "", "/news/2026/x"],
    ["/blog/* /news/:splat", "/blog", "", "/news/"],
    ["/u/:id /user?id=:id", "/u/é", "", "/user?id=%C3%A9"],
    ["/u/:id/x /y/:id", "/u/1/z", "", undefined],
    ["/find q=:word /search/:word", "/find", "q=a b", "/search/a%20b"],
    ["/find q=:word /search/:word", "/find", "", undefined],
    ["/find kind=one /1", "/find", "kind=two", undefined],
    ["/* /index.html 200", "/any/thing", "", "/index.html"],
  ])("%s for %s?%s leads to %s", (line, path, query, to) => expect(follow(line, path, query)).toBe(to));

  test("what cannot be followed is said", () => {
    const lines = [
      "# a comment",
      "",
      "/a",
      "b /c",
      "/a /b 999",
      "/api/* https://other.example/:splat 200",
      "/a /b 301 Country=es",
    ];
    expect(parseRedirects(lines.join("\n")).faults.map(({ line, reason }) => [line, reason])).toEqual([
      [3, "unreadable"],
      [4, "unreadable"],
      [5, "status"],
      [6, "proxy"],
      [7, "condition"],
    ]);
    expect(parseRedirects("/a https://other.example/ 302!").rules).toMatchObject([{ status: 302, isForced: true }]);
    for (const to of ["//other.example", "/50%off", "http://", "/\\other.example"])
      expect([to, parseRedirects(`/a ${to} 301`).rules]).toEqual([to, []]);
    expect(follow(`/* /${":splat/".repeat(200)}`, `/${"x".repeat(1000)}`)).toBeUndefined();
    expect(parseRedirects("/a /b\n".repeat(1001)).faults).toMatchObject([{ reason: "too many" }]);
  });
});

describe("_headers", () => {
  test("are of the paths that they are about; of one name, together", () => {
    const { rules, faults } = parseHeaderRules("/*\n  X-A: 1\n\n# no\n/b/*\n  X-A: 2\n  Cache-Control: no-store\n");
    expect(faults).toEqual([]);
    expect(headersFor(rules, "/")).toEqual({ "x-a": "1" });
    expect(headersFor(rules, "/b/c")).toEqual({ "x-a": "1, 2", "cache-control": "no-store" });
  });
  test("and rules that are made to be slow are read at once", () => {
    for (const text of [` a:${" ".repeat(200_000)}é`, `${" #".repeat(100_000)}\rx`, "x".repeat(250_000)]) {
      expect(parseHeaderRules(`/*\n${text}`).rules[0]?.headers).toEqual([]);
      expect(parseRedirects(text).rules).toEqual([]);
    }
  });
  test("set no cookie, and do not say where an answer ends", () => {
    const text =
      "/*\n  Set-Cookie: a=1\n  Content-Length: 3\n  Transfer-Encoding: chunked\n  no colon\n  X: a\u0001\nx\n";
    const { rules, faults } = parseHeaderRules(text);
    expect(rules).toEqual([{ pattern: "/*", headers: [] }]);
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
