import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { createSiteFolder } from "./createSiteFolder.ts";
import { findFiles } from "./findFiles.ts";

test("version control, editor files and ignored files are skipped", () => {
  const folder = createSiteFolder({
    "index.html": "",
    "a/b#c?.html": "",
    ".well-known/x": "",
    ".git/config": "",
    "node_modules/x/index.js": "",
    "a/.DS_Store": "",
    "draft.html~": "",
    "drafts/one.html": "",
    "notes.md": "",
    ".nidoignore": "drafts/\n*.md\n",
  });
  const { files, rejected } = findFiles(folder);
  expect(files.map(({ path }) => path).sort()).toEqual([".well-known/x", "a/b#c?.html", "index.html"]);
  expect(Object.values(rejected).flat()).toEqual([]);
});

test("secrets, links, hidden files and colliding names are rejected, each for its own reason", () => {
  const folder = createSiteFolder({ ".env.local": "", "keys/site.pem": "", ".htaccess": "", A: "", a: "" });
  symlinkSync("/etc/passwd", join(folder, "passwd"));
  symlinkSync("/etc", join(folder, "etc"));
  const { rejected, files } = findFiles(folder);
  expect({ ...rejected, links: rejected.links.sort() }).toEqual({
    secrets: [".env.local", "keys/site.pem"],
    links: ["etc", "passwd"],
    hidden: [".htaccess"],
    names: ["A, a"],
  });
  expect(files.some(({ path }) => path.startsWith("etc"))).toBe(false);
});
