import { zipSync } from "fflate";
import { expect, test } from "vitest";
import { RefusedFiles, readChosen } from "./readFiles.ts";

async function read(files: Record<string, string>) {
  const entries = Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)] as const);
  const archive = new File([zipSync(Object.fromEntries(entries)) as Uint8Array<ArrayBuffer>], "site.zip");
  const site = await readChosen([archive] as unknown as FileList).catch((error: RefusedFiles) => error);
  if (site instanceof RefusedFiles) return [site.reason, ...site.paths];
  return [...site.files.map(({ path }) => path).sort(), ...site.hidden.map((path) => `hidden: ${path}`)];
}

test("the folder that contains everything is left out, also beside a .nidoignore", async () => {
  expect(await read({ "dist/index.html": "", "dist/a/b.css": "" })).toEqual(["a/b.css", "index.html"]);
  expect(await read({ ".nidoignore": "dist/draft.html", "dist/index.html": "", "dist/draft.html": "" })).toEqual([
    "index.html",
  ]);
  expect(await read({ "node_modules/x/.nidoignore": "*", "dist/index.html": "" })).toEqual(["index.html"]);
  expect(await read({ "index.html": "", "a/b.css": "" })).toEqual(["a/b.css", "index.html"]);
});

test("the folder's own rules have the last word, and take a refusal of secrets back", async () => {
  const rules = { ".nidoignore": "*.tmp\n*.key", "dist/.nidoignore": "draft/*\n!draft/kept.html\n!talk.key" };
  const files = { "dist/a.tmp": "", "dist/draft/one.html": "", "dist/draft/kept.html": "", "dist/talk.key": "" };
  expect(await read({ ...rules, ...files })).toEqual(["draft/kept.html", "talk.key"]);
  expect(await read({ "index.html": "", "server.key": "", "a/.env": "" })).toEqual(["secrets", "server.key", "a/.env"]);
  expect(await read({ "index.html": "", ".htaccess": "" })).toEqual(["index.html", "hidden: .htaccess"]);
});

test("what is in a folder that is left out is not looked at, as with the tool", async () => {
  const rules = { ".nidoignore": "dist/draft/", "dist/.nidoignore": "!draft/x.html\n!y.key" };
  const files = { "dist/index.html": "", "dist/draft/x.html": "", "dist/draft/y.key": "" };
  expect(await read({ ...rules, ...files })).toEqual(["index.html"]);
  const hidden = { "index.html": "", ".hidden/x.key": "", ".hidden/y/z.html": "", ".well-known/x": "" };
  expect(await read(hidden)).toEqual([".well-known/x", "index.html", "hidden: .hidden"]);
});

test("paths that cannot be published are named, with and without rules", async () => {
  for (const rules of ["", "*.tmp\n!talk.key"])
    expect(await read({ "index.html": "", "../talk.key": "", "../out.html": "", ".nidoignore": rules })).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(secrets|names)$/), expect.stringContaining("../")]),
    );
});
