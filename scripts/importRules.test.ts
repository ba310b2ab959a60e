import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const root = resolve(import.meta.dirname, "..");

/** Runs the import rules on a server that consists of these files, and returns the names of the broken rules. */
async function brokenRules(files: Record<string, string>): Promise<string[]> {
  const folder = mkdtempSync(join(tmpdir(), "nido-imports-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, "apps/server/src", path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  const program = join(root, "node_modules/dependency-cruiser/bin/dependency-cruiser.mjs");
  const args = [program, "--config", join(root, ".dependency-cruiser.mjs"), "--output-type", "json", "apps"];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder });
  const { summary } = JSON.parse(stdout);
  expect(summary.totalCruised).toBeGreaterThan(1);
  return [...new Set<string>(summary.violations.map(({ rule }: { rule: { name: string } }) => rule.name))].sort();
}

const leaf = "export const value = 1;\n";
const importing = (path: string) => `import { value } from "${path}";\nexport const copy = value;\n`;

test.each([
  ["a downward import", { "billing/a.ts": importing("../db/b.ts"), "db/b.ts": leaf }, []],
  ["a sideways import", { "billing/a.ts": importing("../wordpress/b.ts"), "wordpress/b.ts": leaf }, []],
  [
    "an upward import",
    { "db/a.ts": importing("../billing/b.ts"), "billing/b.ts": leaf },
    ["no-upward-import-from-layer-6"],
  ],
  [
    "an upward import of a type",
    { "auth/a.ts": 'import type { T } from "../cli/b.ts";\nexport type U = T;\n', "cli/b.ts": "export type T = 1;\n" },
    ["no-upward-import-from-layer-5"],
  ],
  [
    "a cycle between files",
    { "db/a.ts": importing("./b.ts"), "db/b.ts": 'export { copy as value } from "./a.ts";\n' },
    ["no-cycle-between-files"],
  ],
  [
    "a cycle between folders of one layer",
    {
      "auth/a.ts": importing("../account/b.ts"),
      "account/b.ts": leaf,
      "account/c.ts": importing("../auth/d.ts"),
      "auth/d.ts": leaf,
    },
    ["no-cycle-between-folders"],
  ],
  [
    "queries that import HTTP",
    { "domains/queries.ts": importing("../http/a.ts"), "http/a.ts": leaf },
    ["queries-know-no-http"],
  ],
  [
    "a folder without a layer",
    { "billing/a.ts": importing("../misc/b.ts"), "misc/b.ts": leaf },
    ["every-file-in-a-layer"],
  ],
])("%s", async (_what, files, rules) => {
  expect(await brokenRules(files as Record<string, string>)).toEqual(rules);
});
