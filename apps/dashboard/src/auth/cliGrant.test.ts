import { afterEach, describe, expect, test, vi } from "vitest";
import { denialAddress, grantAccess, readGrantRequest, readUserCode } from "./cliGrant.ts";

const request = { port: 4000, state: "a state&", challenge: "a challenge", machine: "laptop" };

afterEach(() => vi.unstubAllGlobals());

describe("a grant request", () => {
  const query = { port: "4000", state: "a state&", challenge: "a challenge", machine: "laptop" };
  test.each([
    ["complete", query, request],
    ["without a machine", { ...query, machine: undefined }, { ...request, machine: "?" }],
    ["with a long machine name", { ...query, machine: "x".repeat(81) }, { ...request, machine: "x".repeat(80) }],
    ["on the last port", { ...query, port: "65535" }, { ...request, port: 65535 }],
    ["on port 0", { ...query, port: "0" }, undefined],
    ["beyond the last port", { ...query, port: "65536" }, undefined],
    ["on a fraction of a port", { ...query, port: "4000.5" }, undefined],
    ["with a host instead of a port", { ...query, port: "80@example.com" }, undefined],
    ["without a port", { ...query, port: undefined }, undefined],
    ["without a state", { ...query, state: "" }, undefined],
    ["without a challenge", { ...query, challenge: "" }, undefined],
  ])("%s", (_what, parameters, expected) => {
    const entries = Object.entries(parameters).filter((entry): entry is [string, string] => entry[1] !== undefined);
    expect(readGrantRequest(new URLSearchParams(entries))).toEqual(expected);
  });
});

test("a granted request leads to the CLI's port with the code", async () => {
  const fetch = vi.fn(async (_path: string, _init: RequestInit) => Response.json({ code: "secret" }));
  vi.stubGlobal("fetch", fetch);
  await expect(grantAccess(request)).resolves.toBe("http://127.0.0.1:4000/?state=a+state%26&code=secret");
  const [path, { body }] = fetch.mock.calls[0] ?? ["", {}];
  expect(path).toBe("/api/cli/grants");
  expect(JSON.parse(String(body))).toEqual({ challenge: "a challenge", machine: "laptop" });
});

test("a denied request leads to the CLI's port without a code", () => {
  expect(denialAddress(request)).toBe("http://127.0.0.1:4000/?state=a+state%26");
});

test.each([
  ["BCDF-GHJK", "BCDF-GHJK"],
  ["bcdfghjk", "BCDF-GHJK"],
  [" bcdf ghjk ", "BCDF-GHJK"],
  ["BCDF-GHJ", undefined],
  ["BCDF-GHJKL", undefined],
  ["", undefined],
])("the user code %j: %s", (typed, code) => {
  expect(readUserCode(typed)).toBe(code);
});
