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

test("patterns are relative to the file that has them, as with git", () => {
  const root = createSiteFolder({
    ".nidoignore": "dist/private\n/notes.txt\n*.map\n",
    "dist/.nidoignore": "/own.txt\n!keep.map\n",
    "dist/index.html": "",
    "dist/private/x.html": "",
    "dist/notes.txt": "",
    "dist/own.txt": "",
    "dist/a.map": "",
    "dist/keep.map": "",
    "dist/deep/own.txt": "",
  });
  const { files } = findFiles(join(root, "dist"), root);
  expect(files.map(({ path }) => path).sort()).toEqual(["deep/own.txt", "index.html", "keep.map", "notes.txt"]);
});

test("what only looks like a secret can be published by name; hidden files are left out", () => {
  const folder = createSiteFolder({
    ".nidoignore": "!talk.key\n",
    "talk.key": "",
    ".vite/manifest.json": "",
    ".htaccess": "",
    "README.txt": "",
    "Readme.txt": "",
  });
  const { files, rejected, hidden } = findFiles(folder);
  expect(files.map(({ path }) => path).sort()).toEqual(["README.txt", "Readme.txt", "talk.key"]);
  expect(Object.values(rejected).flat()).toEqual([]);
  expect(hidden.sort()).toEqual([".htaccess", ".vite"]);
});

test("a pattern that takes everything back says nothing about secrets", () => {
  const folder = createSiteFolder({
    ".nidoignore": "*\n!**\n!*.*\n!sub/talk.key\n",
    "server.key": "",
    "sub/talk.key": "",
  });
  const { files, rejected } = findFiles(folder);
  expect(files.map(({ path }) => path)).toEqual(["sub/talk.key"]);
  expect(rejected.secrets).toEqual(["server.key"]);
});

test("secrets, links and colliding names are rejected, each for its own reason", () => {
  const folder = createSiteFolder({ ".env.local": "", "keys/site.pem": "", "caf\u00e9": "", "cafe\u0301": "" });
  symlinkSync("/etc/passwd", join(folder, "passwd"));
  symlinkSync("/etc", join(folder, "etc"));
  const { rejected, files } = findFiles(folder);
  expect({ ...rejected, links: rejected.links.sort() }).toEqual({
    secrets: [".env.local", "keys/site.pem"],
    links: ["etc", "passwd"],
    names: [expect.stringMatching(/^caf.+, caf/)],
  });
  expect(files.some(({ path }) => path.startsWith("etc"))).toBe(false);
});
