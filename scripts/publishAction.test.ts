import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { expect, onTestFinished, test } from "vitest";

const script = resolve(import.meta.dirname, "../.github/actions/publish/publish.sh");

/** Runs the action with a tool that prints this result and exits with this code. */
function runAction(result: object, exitCode: number) {
  const folder = mkdtempSync(join(tmpdir(), "nido-action-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const program = (path: string, lines: string[]) => {
    mkdirSync(resolve(folder, path, ".."), { recursive: true });
    writeFileSync(join(folder, path), ["#!/bin/sh", ...lines, ""].join("\n"));
    chmodSync(join(folder, path), 0o755);
  };
  writeFileSync(join(folder, "printed.json"), JSON.stringify(result));
  program("bin/npm", []);
  program("nido-tool/node_modules/.bin/nido", [`cat "${join(folder, "printed.json")}"`, `exit ${exitCode}`]);
  const [outputs, summary] = [join(folder, "outputs"), join(folder, "summary")];
  for (const file of [outputs, summary]) writeFileSync(file, "");
  const { status, stderr } = spawnSync("bash", [script], {
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}${delimiter}${process.env["PATH"]}`,
      NIDO_SERVER: "https://panel.example.com/",
      RUNNER_TEMP: folder,
      GITHUB_OUTPUT: outputs,
      GITHUB_STEP_SUMMARY: summary,
    },
  });
  return { status, stderr, outputs: readFileSync(outputs, "utf8"), summary: readFileSync(summary, "utf8") };
}

test("the action writes its outputs, however many files have changed", () => {
  const added = Array.from({ length: 30_000 }, (_, index) => `assets/a-long-name-of-a-file-${index}.js`);
  const { status, stderr, outputs, summary } = runAction({ url: "https://a.example", comment: "**Done**", added }, 0);
  expect([status, stderr]).toEqual([0, ""]);
  expect(outputs).toMatch(/^url=https:\/\/a\.example\ndeploy-url=\ncomment<<(end-\S+)\n\*\*Done\*\*\n\1\n$/);
  expect(summary).toBe("**Done**\n");
});

test("if the tool fails, the action ends with its exit code and without outputs", () => {
  expect(runAction({ error: "too large" }, 5)).toMatchObject({ status: 5, outputs: "", summary: "" });
});
