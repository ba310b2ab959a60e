import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import { visitKind } from "../traffic/visitKind.ts";
import { FastFiles } from "./static/FastFiles.ts";
import type { FileCache } from "./static/FileCache.ts";
import type { StaticDeploy } from "./static/StaticDeploy.ts";

setFlagsFromString("--expose-gc");
const collectGarbage: () => void = runInNewContext("gc");

const heads = 2000;
/** Parts of a string that is as long as the head of a request can be, and is kept nowhere else. */
function headOf(index: number) {
  const text = `GET /a/long/path/${index} HTTP/1.1${"x".repeat(8000)}Mozilla/5.0 (number ${index})`.split("").join("");
  return { url: text.slice(4, text.indexOf(" ", 4)), agent: text.slice(text.indexOf("Mozilla")) };
}

test("what caches keep of a request does not keep the rest of its head in memory", () => {
  const files = new FastFiles({ peek: () => undefined } as unknown as FileCache);
  const file = { sha256: "0".repeat(64), size: 10, type: "text/html", forms: { br: null, gzip: null } };
  const resolution = { kind: "file", status: 200, headers: {}, file, path: "index.html" };
  const deploy = { userId: "u", resolve: () => resolution } as unknown as StaticDeploy;
  collectGarbage();
  const before = process.memoryUsage().heapUsed;
  for (let index = 0; index < heads; index++) {
    const { url, agent } = headOf(index);
    const headers = { "user-agent": agent };
    visitKind(headers);
    files.find(deploy, { url, headers, address: undefined, isEncrypted: false, derived: {} });
  }
  collectGarbage();
  // The heads are 16 MB.
  expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(8);
  expect(files.find(deploy, { url: "/a/long/path/1", headers: {}, address: "", isEncrypted: false, derived: {} })).toBe(
    undefined,
  );
});
