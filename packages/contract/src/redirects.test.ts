import { describe, expect, test } from "vitest";
import { splitPath } from "./pathPattern.ts";
import { followRedirect, parseRedirects, queryValues } from "./redirects.ts";
import { redirectFaults } from "./wordpressRedirects.ts";

describe("_redirects", () => {
  const follow = (line: string, path: string, query = "") => {
    const [rule] = parseRedirects(line).rules;
    return rule && followRedirect(rule, splitPath(path), queryValues(new URLSearchParams(query)));
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
    ["/find kind=one /1", "/find", "kind=one&kind=two", "/1"],
    ["/50%off /b", "/50%off", "", "/b"],
    ["/store?id=:id /blog/:id", "/store", "id=7", "/blog/7"],
    ["/store?id=:id&kind=old /blog/:id", "/store", "id=7", undefined],
    ["/blog/*/amp /blog/:splat", "/blog/2026/x/amp", "", "/blog/2026/x"],
    ["/p-:id /product/:id", "/p-7", "", "/product/7"],
    ["/i/:name.jpg /images/:name.webp", "/i/sea.jpg", "", "/images/sea.webp"],
    ["/* /index.html 200", "/any/thing", "", "/index.html"],
    ["/un%20d%C3%ADa /x", "/un día", "", "/x"],
    // These are told when they are published, and followed as they are written.
    ["/a/* /b/*", "/a/c", "", "/b/*"],
    ["/a /b/:id", "/a", "", "/b/:id"],
    ["/u/:id/:id /b/:id", "/u/7/8", "", "/b/8"],
    ["/a id=1 id=:id /b/:id", "/a", "id=1", "/b/1"],
  ])("%s redirects %s?%s to %s", (line, path, query, to) => expect(follow(line, path, query)).toBe(to));

  test("of a WordPress site that do not do what they say are reported before they are saved", () => {
    const faults = redirectFaults("/a/* /b/*\n/a /b/:id\n/wp-admin/* /b/*\n/a/:id /b/:id\n");
    expect(faults.map(({ line, reason }) => [line, reason])).toEqual([
      [1, "star"],
      [2, "unknown"],
      [3, "own"],
    ]);
  });

  test("invalid lines are reported with their reason", () => {
    const lines = [
      "# a comment",
      "",
      "/a",
      "b /c",
      "/a /b 999",
      "/api/* https://other.example/:splat 200",
      "/a /b 301 Country=es",
      "/* https://:splat/",
      "/50%ff /b",
      "/* https:///:splat",
      "/* https://\\:splat",
      "https://old.example/* /:splat",
      "/a*b* /c",
      "/:a-:b /c",
      "/a?b /c",
      "/a?b=: /c",
      `/${"a".repeat(2000)} /b`,
      "/a b",
      "/a /b Country=es",
      `#${"a".repeat(3000)}`,
      `/a /b # ${"a".repeat(3000)}`,
      "/a/* /b/*",
      "/blog/:month /news/:year/:month",
      "/blog/* /news/:rest",
      "/blog/x /news/:splat",
      "/a id=1 id=2 /b",
      "/a?id=1 id=:id /b",
      "/a /b?at=:when",
      "/admin/* 200",
      "/api/* https://api.example/:splat 200! Sign=API_SECRET",
      "/a https://b.example/wiki/Special:Search?at=12:30#:~:text=word",
      "/x?id=:id&n=:n https://b.example:80/:id#:n",
    ];
    expect(parseRedirects(lines.join("\n")).faults.map(({ line, reason }) => [line, reason])).toEqual([
      [3, "target"],
      [4, "unreadable"],
      [5, "status"],
      [6, "proxy"],
      [7, "condition"],
      [8, "host"],
      [9, "unreadable"],
      [10, "host"],
      [11, "host"],
      [12, "absolute"],
      [13, "stars"],
      [14, "placeholders"],
      [15, "query"],
      [16, "query"],
      [17, "long"],
      [18, "target"],
      [19, "condition"],
      [29, "target"],
      [30, "condition"],
    ]);
    expect(parseRedirects("\n/a https://other.example:8080/ 302!").rules).toMatchObject([
      { line: 2, status: 302, isForced: true },
    ]);
    for (const to of ["//other.example", "/50%off", "http://", "/\\other.example"])
      expect([to, parseRedirects(`/a ${to} 301`).rules]).toEqual([to, []]);
    expect(follow(`/* /${":splat/".repeat(200)}`, `/${"x".repeat(1000)}`)).toBeUndefined();
    expect(parseRedirects("/a /b\n".repeat(1001)).faults).toMatchObject([{ reason: "too many" }]);
  });
});
