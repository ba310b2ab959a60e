import { describe, expect, test } from "vitest";
import { matchPath, parsePattern, splitPath } from "./pathPattern.ts";

const match = (text: string, path: string) => {
  const pattern = parsePattern(text);
  if (typeof pattern === "string") return pattern;
  const values = matchPath(pattern, splitPath(path));
  return values && Object.fromEntries(values);
};

describe("a pattern", () => {
  test.each([
    ["/a", "/a", {}],
    ["/a", "/a/", {}],
    ["/a", "/ab", undefined],
    ["/a", "/A", undefined],
    ["/", "/", {}],
    ["/*", "/", { splat: "" }],
    ["/*", "/x/y", { splat: "x/y" }],
    ["/blog/*", "/blog", { splat: "" }],
    ["/blog/*", "/blogs", undefined],
    ["/blog/*/x", "/blog/a/b/x", { splat: "a/b" }],
    ["/blog/*/x", "/blog/x", undefined],
    ["/blog/*/x/:id", "/blog/a/x/7", { splat: "a", id: "7" }],
    ["/foo*", "/foobar/baz", { splat: "bar/baz" }],
    ["/foo*", "/foo", { splat: "" }],
    ["/foo*", "/fo", undefined],
    ["/*.js", "/a/b.js", { splat: "a/b" }],
    ["/*.js", "/.js", { splat: "" }],
    ["/*.js", "/a.jsx", undefined],
    ["/a*a", "/a", undefined],
    ["/a*a", "/aa", { splat: "" }],
    ["/img/*.min.*", "/img/x", "stars"],
    ["/p-:id", "/p-7", { id: "7" }],
    ["/p-:id", "/p-", undefined],
    ["/i/:name.jpg", "/i/sea.jpg", { name: "sea" }],
    ["/:year/:month", "/2026/11", { year: "2026", month: "11" }],
    ["/:year-:month", "/2026-11", "placeholders"],
    ["/:id*", "/7x", "placeholders"],
    ["/u/:id/:id", "/u/7/8", { id: "8" }],
    ["/:splat/*", "/a/b", { splat: "b" }],
    ["/u/:id", "/u/", undefined],
    ["/un%20d%C3%ADa", "/un día", {}],
    ["/100%", "/100%", {}],
    ["/a%2Ab", "/a*b", {}],
    ["/a%2Ab", "/axb", undefined],
    ["/a%3Ab", "/a:b", {}],
    ["/%ff", "/x", "unreadable"],
    ["/a?b=1", "/a", "unreadable"],
    ["/a#b", "/a", "unreadable"],
    ["a", "/a", "unreadable"],
    ["https://example.com/a", "/a", "absolute"],
    ["//example.com/a", "/a", "absolute"],
  ])("%s on %s: %j", (text, path, expected) => expect(match(text, path)).toEqual(expected));
});
