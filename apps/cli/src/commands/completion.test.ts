import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, describe, expect, test } from "vitest";

const program = resolve(import.meta.dirname, "../../dist/nido.cjs");
const folder = mkdtempSync(join(tmpdir(), "nido-completion-"));
writeFileSync(join(folder, "nido"), `#!/bin/sh\nexec "${process.execPath}" "${program}" "$@"\n`);
chmodSync(join(folder, "nido"), 0o755);
const env = { PATH: `${folder}:${process.env["PATH"]}`, HOME: folder, LANG: "en_GB.UTF-8" };
const run = (name: string, args: string[]) => execFileSync(name, args, { env, cwd: folder, encoding: "utf8" }).trim();

afterAll(() => rmSync(folder, { recursive: true, force: true }));

test("bash", () => {
  const typed = `COMP_WORDS=(nido wp stag); COMP_CWORD=2; _nido; echo "\${COMPREPLY[@]}"`;
  const file = `COMP_WORDS=(nido publish ""); COMP_CWORD=2; _nido; echo "\${#COMPREPLY[@]}"`;
  expect(run("bash", ["-c", `source <(nido completion bash); ${typed}; ${file}; complete -p nido`])).toBe(
    "staging\n0\ncomplete -o default -F _nido nido",
  );
});

describe.skipIf(!existsSync("/usr/bin/fish"))("fish, which is not installed everywhere", () => {
  test("completes commands and options, and files where a folder is expected", () => {
    const ask = (typed: string) => run("fish", ["-c", `nido completion fish | source; complete -C '${typed}'`]);
    expect([ask("nido wp stag"), ask("nido publish --st"), ask("nido publish nid")]).toEqual([
      "staging",
      "--strict",
      "nido",
    ]);
  });
});

describe.skipIf(!existsSync("/usr/bin/zsh"))("zsh, which is not installed everywhere", () => {
  test("offers the same words", () => {
    const stubs = "compdef() { :; }; _files() { echo files; }; compadd() { shift; print -l $@; }";
    const ask = (words: string) =>
      run("zsh", ["-fc", `${stubs}; source <(nido completion zsh); words=(${words}); CURRENT=$#words; _nido`]);
    expect([ask("nido wp stag"), ask("nido publish ''")]).toEqual(["staging", "files"]);
  });
});

test("another shell is refused by name", () => {
  expect(() => run("nido", ["completion", "tcsh"])).toThrow(/bash, zsh, fish/);
});
