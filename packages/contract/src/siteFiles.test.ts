import { describe, expect, test } from "vitest";
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
  ])("%j has the fault %s", (path, fault) => expect(pathFault(path)).toBe(fault));

  test("collides with one that differs only by case or Unicode normalisation, or that lies inside it", () => {
    expect(findCollision(["a", "b/c", "b/d"])).toBeUndefined();
    expect(findCollision(["A", "a", "b/c", "B"])).toBeUndefined();
    expect(findCollision(["b/c", "b"])).toEqual(["b", "b/c"]);
    expect(findCollision(["é", "e\u0301"])).toHaveLength(2);
  });
});

test("a frame header is the digest and the size", () => {
  const head = frameHead({ sha256: "0f".repeat(32), size: 258 });
  expect([...head]).toEqual([...Array(32).fill(15), 0, 0, 0, 0, 0, 0, 1, 2]);
});
