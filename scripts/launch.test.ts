import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
/** Runs before the launcher, and makes it believe that it runs on an old Node. */
const oldNode =
  'data:text/javascript,Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.19.0" } })';

test.skipIf(process.platform !== "linux")(
  "on an old Node, the launcher has npm fetch Node by its hash, and starts nothing if npm refuses it",
  () => {
    const folder = mkdtempSync(join(tmpdir(), "nido-launch-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    mkdirSync(join(folder, "scripts"));
    cpSync(join(root, "scripts/launch.mjs"), join(folder, "scripts/launch.mjs"));
    writeFileSync(join(folder, "npm.js"), "console.error(process.argv[2]); process.exit(1);");
    writeFileSync(join(folder, "program.mjs"), "console.log('started');");
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      ["--import", oldNode, "scripts/launch.mjs", "program.mjs"],
      { cwd: folder, encoding: "utf8", env: { ...process.env, npm_execpath: join(folder, "npm.js") } },
    );
    expect([status, stdout]).toEqual([1, expect.not.stringContaining("started")]);
    // Only "npm ci" requires what the lock file says.
    expect(stderr).toMatch(/^ci\n/);
    const { packages } = JSON.parse(readFileSync(join(folder, ".tools/package-lock.json"), "utf8"));
    expect(packages[`node_modules/node-linux-${process.arch}`]).toEqual({
      version: expect.stringMatching(/^24\./),
      integrity: expect.stringMatching(/^sha512-[\w+/]{86}==$/),
    });
  },
);

test("the site manager, which runs as root, is started by an installed Node, not by the launcher", () => {
  const unit = readFileSync(join(root, "deploy/nido-site-manager.service"), "utf8");
  expect(unit).toMatch(
    /^ExecStart=\/usr\/local\/bin\/node apps\/server\/src\/wordpress\/native\/siteManagerProcess\.ts /m,
  );
  expect(unit).not.toMatch(/^Exec.*(npm|launch)/m);
});
