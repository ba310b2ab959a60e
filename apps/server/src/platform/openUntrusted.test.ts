import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { readUntrusted } from "./openUntrusted.ts";

function createFolder() {
  const folder = mkdtempSync(join(tmpdir(), "nido-untrusted-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const root = join(folder, "site");
  mkdirSync(join(root, "inner"), { recursive: true });
  mkdirSync(join(folder, "outer"));
  writeFileSync(join(folder, "outer/secret"), "secret");
  writeFileSync(join(root, "inner/file"), "public");
  return { folder, root };
}

test("readUntrusted reads a regular file below its folder, and nothing else", async () => {
  const { folder, root } = createFolder();
  symlinkSync(join(folder, "outer/secret"), join(root, "link"));
  symlinkSync(join(folder, "outer"), join(root, "linked"));
  symlinkSync(join(root, "inner"), join(root, "own"));
  execFileSync("mkfifo", [join(root, "fifo")]);
  const read = async (path: string) => (await readUntrusted(root, path, 100))?.toString();
  expect(await read("inner/file")).toBe("public");
  for (const path of ["link", "linked/secret", "own/file", "fifo", "inner", "absent", "inner/file/x", "x".repeat(5000)])
    expect([path, await read(path)]).toEqual([path, undefined]);
  expect(await readUntrusted(root, "inner/file", 5)).toBeUndefined();
});

test("readUntrusted works below a folder that is itself reached by a symbolic link", async () => {
  const { folder } = createFolder();
  symlinkSync(folder, `${folder}-link`);
  onTestFinished(() => rmSync(`${folder}-link`));
  expect((await readUntrusted(join(`${folder}-link`, "site"), "inner/file", 100))?.toString()).toBe("public");
});
