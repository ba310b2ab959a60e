import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join, resolve } from "node:path";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import type { NewDeploy } from "@nido/contract";
import { expect, onTestFinished, test } from "vitest";
import { createSiteFolder } from "../publish/createSiteFolder.ts";

const run = promisify(execFile);
const program = resolve(import.meta.dirname, "../../dist/nido.cjs");

/** A server that knows no files. Returns its address, and the paths that it was asked to plan. */
async function servePlans() {
  const planned: string[][] = [];
  const server = createServer(async (request, response) => {
    const { files } = (await json(request)) as NewDeploy;
    planned.push(files.map(({ path }) => path));
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify({ added: planned.at(-1), changed: [], removed: [], missing: [] }));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  onTestFinished(() => void server.close());
  return { planned, origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

test("the build in nido.json runs without --build, and not for another folder", async () => {
  const { planned, origin } = await servePlans();
  const build = "mkdir -p dist && echo '<title>x</title>' > dist/index.html";
  const folder = createSiteFolder({
    "nido.json": JSON.stringify({ project: "folio", folder: "dist", build }),
    "other/a.html": "",
  });
  const env = { PATH: process.env["PATH"], HOME: createSiteFolder({}), NIDO_SERVER: origin, NIDO_TOKEN: "t", CI: "1" };
  const publish = (...words: string[]) =>
    run(process.execPath, [program, "publish", "--dry-run", ...words], { cwd: folder, env });
  await publish("other");
  expect([planned, existsSync(join(folder, "dist"))]).toEqual([[["a.html"]], false]);
  const { stdout, stderr } = await publish();
  expect(planned[1]).toEqual(["index.html"]);
  expect(stderr).toContain(build);
  expect(stdout).toBe("+ index.html\n");
});
