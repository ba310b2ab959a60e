import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { expect, test } from "vitest";

const root = resolve(import.meta.dirname, "..");
const documents = execFileSync("git", ["ls-files", "*.md"], { cwd: root, encoding: "utf8" }).trim().split("\n");

test.each(documents)("%s names only files and folders that exist", (document) => {
  const text = readFileSync(resolve(root, document), "utf8");
  const code = [...text.matchAll(/`((?:apps|packages|e2e|bench|scripts|deploy|docs)\/[\w./-]*)`/g)].map(
    ([, path = ""]) => path,
  );
  const links = [...text.matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)].map(([, link = ""]) => link);
  const missing = [
    ...code.filter((path) => !existsSync(resolve(root, path))),
    ...links.filter((link) => !existsSync(resolve(root, dirname(document), link))),
  ];
  expect(missing).toEqual([]);
});
