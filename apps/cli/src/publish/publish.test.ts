import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { parseRedirects } from "@nido/contract";
import { expect, onTestFinished, test, vi } from "vitest";
import { shellLanguage } from "../texts.ts";
import { findBrokenLinks } from "./findBrokenLinks.ts";
import { findFiles } from "./findFiles.ts";
import { hashFiles } from "./hashFiles.ts";

function openFolder(files: Record<string, string>) {
  const folder = mkdtempSync(join(tmpdir(), "nido-cli-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

test("what is published is what is meant: no repository, no editor's files, nothing ignored", () => {
  const folder = openFolder({
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
  const { files, refused } = findFiles(folder);
  expect(files.map(({ path }) => path).sort()).toEqual([".well-known/x", "a/b#c?.html", "index.html"]);
  expect(Object.values(refused).flat()).toEqual([]);
});

test("secrets, links, hidden files and names that cannot go together are refused, each by its name", () => {
  const folder = openFolder({ ".env.local": "", "keys/site.pem": "", ".htaccess": "", A: "", a: "" });
  symlinkSync("/etc/passwd", join(folder, "passwd"));
  symlinkSync("/etc", join(folder, "etc"));
  const { refused, files } = findFiles(folder);
  expect({ ...refused, links: refused.links.sort() }).toEqual({
    secrets: [".env.local", "keys/site.pem"],
    links: ["etc", "passwd"],
    hidden: [".htaccess"],
    names: ["A, a"],
  });
  expect(files.some(({ path }) => path.startsWith("etc"))).toBe(false);
});

test("what has not been touched is not read again; a memory that cannot be read is an empty one", async () => {
  const home = openFolder({});
  vi.stubEnv("XDG_CACHE_HOME", home);
  const folder = openFolder({ "a.txt": "one" });
  const hash = async (isAfresh?: boolean) => {
    const [file] = await hashFiles(folder, findFiles(folder).files, () => undefined, isAfresh);
    return file?.sha256;
  };
  const right = await hash();
  // What is young may change again without a trace.
  const remembered = () => readFileSync(join(home, "nido", readdirSync(join(home, "nido"))[0] ?? ""), "utf8");
  expect(remembered()).toBe("[]");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  onTestFinished(() => {
    vi.useRealTimers();
    vi.unstubAllEnvs();
  });
  expect(await hash()).toBe(right);
  const memory = join(home, "nido", readdirSync(join(home, "nido"))[0] ?? "");
  writeFileSync(memory, remembered().replace(right ?? "", "remembered"));
  expect(await hash()).toBe("remembered");
  expect(await hash(true)).toBe(right);

  // The same size and the same moment, as some builds make them.
  const { mtime } = statSync(join(folder, "a.txt"));
  writeFileSync(join(folder, "a.txt"), "two");
  utimesSync(join(folder, "a.txt"), mtime, mtime);
  expect(await hash()).not.toBe(right);
  writeFileSync(memory, "[[");
  expect(await hash()).not.toBe(right);
});

test("a link to nowhere in the same site is found, and no other", () => {
  const page = `<a href="/about">1</a> <a href='about/'>2</a> <img src=logo.png> <a href="https://other.example/x">3</a>
    <a href="#top">4</a> <a href="mailto:a@b.example">5</a> <a href="/blog?page=2#x">6</a> <a href="/old/x">7</a>
    <!-- <a href="/commented"> --> <a href="/gone">8</a> <a href="../outside/none.html">9</a> <a href="{{ url }}">10</a>`;
  const folder = openFolder({ "index.html": page });
  const files = new Set(["index.html", "about.html", "blog/index.html", "logo.png"]);
  const { rules } = parseRedirects("/old/* /about");
  expect(findBrokenLinks(folder, ["index.html"], files, rules).map(({ link }) => link)).toEqual([
    "/gone",
    "../outside/none.html",
  ]);
});

test.each([
  [{ LANG: "es_ES.UTF-8" }, "es"],
  [{ LANG: "en_GB" }, "en"],
  [{ LANG: "es_MX", LC_ALL: "en_US" }, "en"],
])("the shell's language of %j is %s", (env, lang) => expect(shellLanguage(env)).toBe(lang));
