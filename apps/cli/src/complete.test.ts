import { expect, test } from "vitest";
import { complete } from "./complete.ts";

test.each([
  ["pu", ["publish"]],
  ["wp stag", ["staging"]],
  ["wp staging ", ["delete", "push"]],
  ["tokens ", ["create", "list", "revoke"]],
  ["--project folio dep", ["deploys"]],
  ["publish --st", ["--strict"]],
  ["logs --fo", ["--follow"]],
  ["list --st", []],
  ["publish ", []],
  ["publish --dir ", []],
  ["nonsense ", []],
])("nido %s", (typed, expected) => {
  expect(complete(typed.split(" ")).toSorted()).toEqual(expected);
});

test("nothing typed: every command once", () => {
  const words = complete([""]);
  expect(words).toEqual(expect.arrayContaining(["login", "publish", "wp", "tokens"]));
  expect(new Set(words).size).toBe(words.length);
});
