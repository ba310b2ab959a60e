import { hash } from "node:crypto";
import { expect, test } from "vitest";
import { inspectSite, type KnownFacts } from "./inspectSite.ts";
import { siteReportSchema } from "./publishing.ts";
import { describeFinding, describeItem, type FindingKind, type SiteReport } from "./siteReport.ts";

const page = (body: string) => `<!doctype html><title>x</title>${body}`;

function inspect(content: Record<string, string>, sizes: Record<string, number> = {}, known?: KnownFacts) {
  const files = Object.entries(content).map(([path, text]) => ({
    path,
    size: sizes[path] ?? text.length,
    sha256: hash("sha256", text, "hex"),
  }));
  return inspectSite({ files, read: (path) => content[path] ?? "", ...(known && { known }) });
}

const itemsOf = ({ findings }: SiteReport, kind: FindingKind) =>
  findings.filter((each) => each.kind === kind).flatMap(({ items }) => items.map(describeItem));

test("links to missing pages of the same site, and missing parts of a page, are found", async () => {
  const body = `<a href="/about">1</a> <a href='about/'>2</a> <img src=logo.png> <a href="https://other.example/x">3</a>
    <a href="#top">4</a> <a href="mailto:a@b.example">5</a> <a href="/blog?page=2#x">6</a> <a href="/old/x">7</a>
    <!-- <a href="/commented"> --> <a href="/gone">8</a> <a href="../outside/none.html">9</a> <a href="{{ url }}">10</a>
    <img src="/no.png"><link rel="stylesheet" href="/no.css?v=1">`;
  const report = await inspect({
    "index.html": page(body),
    "about.html": page(""),
    "blog/index.html": page(""),
    "logo.png": "",
    _redirects: "/old/* /about",
  });
  expect(itemsOf(report, "link")).toEqual(["index.html: /gone", "index.html: ../outside/none.html"]);
  expect(itemsOf(report, "asset")).toEqual(["index.html: /no.png", "index.html: /no.css?v=1"]);
});

test("scripts, comments and what other services add are no links; <base> counts", async () => {
  const report = await inspect({
    "index.html": page(
      `<SCRIPT src="/no.js">document.write('<img src="' + img + '">')</SCRIPT><style>a[href="x"]{}</style>
      <template><a href="{id}/x"></template><a href="/cdn-cgi/l/email-protection">x</a><!-- <a href="/a">`,
    ),
    "docs/a.html": page('<base href="/"><a href="about">').replace("<!doctype html>", "<!DOCTYPE html>"),
    "about.html": page(""),
  });
  expect([itemsOf(report, "asset"), itemsOf(report, "link")]).toEqual([["index.html: /no.js"], []]);
  const unclosed = await inspect({ "index.html": page("<!--<script".repeat(300_000)) });
  expect(unclosed.findings).toEqual([]);
});

test("a home page may come from a rule; what cannot be stored is left out", async () => {
  const rules = { "en/index.html": page(`<a href="img\\udemy\0">${"x"}</a>`), _redirects: "/ /en/ 302" };
  expect((await inspect(rules)).findings.map(({ kind }) => kind)).toEqual(["link"]);
  const long = await inspect({ "index.html": page(`<a href="/${"x".repeat(198)}😀">`) });
  expect(long.findings[0]?.items[0]?.text?.isWellFormed()).toBe(true);
  expect(siteReportSchema.safeParse(long).success).toBe(true);
  expect(siteReportSchema.safeParse(await inspect(rules)).success).toBe(true);
});

test("a page's parts may be named by srcset, poster and styles, and those of a stylesheet by url()", async () => {
  const report = await inspect({
    "blog/index.html": page(`<img srcset="a.png 1x,b.png 2x, c,1.png , /d.png" src="data:image/png;base64,x">
      <video poster="e.png"></video><p style="background: url(&quot;f.png&quot;)">url(prose.png)</p>
      <link rel=preload imagesrcset="g.png 100w"><style>p { background: url('h.png') } /* url(old.png) */</style>`),
    "index.html": page(""),
    "blog/a.png": "",
    "css/a.css":
      "@import url(b.css); @font-face { src: url( 'i.woff2' ), url(../d.woff) } a { fill: url(#x) } /* url(z",
    "d.woff": "",
  });
  expect(itemsOf(report, "asset")).toEqual([
    ..."h b c,1 /d e f g".split(" ").map((name) => `blog/index.html: ${name}.png`),
    "css/a.css: b.css",
    "css/a.css: i.woff2",
  ]);
  expect(itemsOf(report, "link")).toEqual([]);
  const unclosed = { "index.html": page(""), "a.css": "/*url(".repeat(300_000), "b.css": "url('".repeat(300_000) };
  expect((await inspect(unclosed)).findings).toEqual([]);
});

test("what is known about a content is not read again, and its links are checked against the site as it is", async () => {
  const known = new Map();
  const site = { "index.html": page('<a href="/about">1</a>'), "about.html": "<!doctype html>" };
  expect(itemsOf(await inspect(site, {}, known), "title")).toEqual(["about.html"]);
  for (const facts of known.values()) facts.isUntitled = false;
  expect((await inspect(site, {}, known)).findings).toEqual([]);
  const { "about.html": _, ...rest } = site;
  expect(itemsOf(await inspect(rest, {}, known), "link")).toEqual(["index.html: /about"]);
});

test("secrets, pages without a title and large images are found", async () => {
  const content = {
    "index.html": page(""),
    "untitled.html": "<!doctype html><title> </title><p>",
    "part.html": "<p>a part of a page, which has no title",
    "moved.html": '<html><meta http-equiv="refresh" content="0; url=/">',
    "app.js": `const key = "sk_live_${"a1".repeat(12)}";`,
    "key.txt": `-----BEGIN RSA PRIVATE KEY-----\n${"MIIEpAIBAAKCAQEA".repeat(4)}`,
    "docs.html": page("-----BEGIN RSA PRIVATE KEY-----\n... AKIAIOSFODNN7EXAMPLE"),
    "fine.js": "const sk_live_key = 1; // AKIA",
    "photo.jpg": "",
    "small.jpg": "",
  };
  const sizes = { "photo.jpg": 500_001, "small.jpg": 500_000 };
  const report = await inspect(content, sizes);
  expect(itemsOf(report, "secret")).toEqual(["app.js", "key.txt"]);
  expect(itemsOf(report, "title")).toEqual(["untitled.html"]);
  expect(itemsOf(report, "image")).toEqual(["photo.jpg"]);
  expect(report.bytes).toMatchObject({ image: 1_000_001 });
});

test("every rule that is not followed is told with its reason, and many of them once", async () => {
  const redirects = [...Array.from({ length: 20_000 }, () => "/a /b 999"), "/about /about.html 301!", "/x /y # z"];
  const { findings } = await inspect({
    "about.html": page(""),
    _redirects: redirects.join("\n"),
    _headers: "/*\n  Basic-Auth: me:secret\n",
  });
  expect(findings.map((finding) => describeFinding(finding, "en"))).toEqual([
    expect.stringContaining("There is no index.html"),
    "_redirects: 20000 lines will be ignored. Use the code 301, 302, 303, 307, 308, 200 or 404.",
    "_redirects: 1 line will be ignored. It leads back to the same page: neither “.html” nor a slash at the end makes a difference. Remove the rule.",
    "_redirects: 1 line leads to an error. There is nothing at the target. Write the address of a page or a file of the site.",
    "_headers: 1 line will be ignored. Passwords aren't set here, but in the dashboard or with “nido protect”. The page is open.",
  ]);
  expect(findings[1]?.items).toHaveLength(20);
  expect(findings[1]?.items[0]).toEqual({ file: "_redirects", line: 1, text: "/a /b 999" });
});

test.each<[redirects: string, faults: string[]]>([
  ["/a /a\n/x/* /x/:splat 301!\n/p/:id/ /p/:id\n/q id=1 /q", ["1 loop", "2 loop", "3 loop", "4 loop"]],
  ["/about/ /about 301!\n/folder /folder/index.html", ["1 loop", "2 loop"]],
  ["/a /b\n/b /a\n/c /a", ["1 cycle", "2 cycle"]],
  ["/l/* /l/l/:splat 301!\n/* /en/:splat 302", ["1 cycle", "2 cycle"]],
  ["/a /about\n/a /folder/\n/a q=:q /about\n/a /folder/ 301!", ["2 duplicate", "3 duplicate", "4 duplicate"]],
  ["/u/* /about\n/u/:id /folder/\n/u/7 /about", ["2 duplicate", "3 duplicate"]],
  ["/u/7 /about\n/u/:id q=:q /about\n/u/:id /about\n/u/:year/:month /about\n/u/* /about", []],
  ["/about /x/ 302\n/about /folder/ 302!", ["1 shadowed"]],
  ["/folder/data.json /404.html 404\n/404 /about", ["1 shadowed", "2 shadowed"]],
  ["/folder.html /about\n/about/index.html https://a.example/\n/about/ /folder/", ["3 shadowed"]],
  ["/about.html /about 301\n/about /about.html 200\n/folder/index.html /folder/ 301", []],
  ["/old /nwe\n/app/* /app.html 200\n/en/* /en/404.html 404!", ["1 missing", "2 missing", "3 missing"]],
  [
    "/x /.netlify/functions/y\n/y/* /.netlify/functions/:splat 200\n/z/* /zz/:splat",
    ["1 missing", "2 missing", "3 missing"],
  ],
  ["/y/* /folder/:splat 200\n/y/* /folder/:splat.json 200\n/z/:a /folder/x-:a.html\n/w/* /:splat", []],
  ["/old /new?a=1#b\n/new /about\n/shop/* https://shop.example/:splat 301!\n/un%20d%C3%ADa /about", []],
  [
    "/a /b\n/b /c\n/c https://c.example/\n/s /app/x/y\n/app/* /index.html 200\n/folder/x /folder\n/* /index.html 200",
    [],
  ],
  [
    "/a//b /about\n/a/../b /about\n/a/. /about\n/.well-known/x /about\n/a/..b /about",
    ["1 slashes", "2 slashes", "3 slashes"],
  ],
  [
    "/a/* /about/*\n/blog/:month /about/:year/:month\n/b/* /about/:rest\n/c /about/:splat\n/d /about?at=:when",
    ["1 star", "2 unknown", "3 unknown", "4 unknown", "5 unknown"],
  ],
  [
    "/a/:id/:id /about\n/:splat/* /about\n/b id=1 id=2 /about\n/c?id=1 id=:id /about",
    ["1", "2", "3", "4"].map((line) => `${line} twice`),
  ],
  ["/a https://b.example/wiki/Special:Search?at=12:30#:~:text=word\n/x?id=:id&n=:n https://b.example:80/:id#:n", []],
  ["/admin/* /admin/:splat 200!\n/admin /about 200", ["1 missing"]],
])("a rule that does not do what it says is told: %j", async (redirects, faults) => {
  const { findings } = await inspect({
    "index.html": page(""),
    "404.html": page(""),
    "about.html": page(""),
    "folder/index.html": page(""),
    "folder/data.json": "",
    _redirects: redirects,
  });
  const found = findings.flatMap(({ reason, items }) => items.map(({ line }) => `${line} ${reason}`));
  expect(found.toSorted()).toEqual(faults);
  for (const finding of findings)
    for (const lang of ["es", "en"] as const)
      expect(describeFinding(finding, lang)).toMatch(/^_redirects: \d .*\. .*\.$/);
});

test("a line with a rule that does not do what it says is quoted", async () => {
  const { findings } = await inspect({ "index.html": page(""), _redirects: "# x\r\n  /old   /nwe 302 # soon\r\n" });
  expect(findings.flatMap(({ items }) => items)).toEqual([
    { file: "_redirects", line: 2, text: "/old   /nwe 302 # soon" },
  ]);
});

test("a rules file that is too large is told", async () => {
  const { findings } = await inspect({ "index.html": page(""), _redirects: "/a /b\n".repeat(60_000) });
  expect(findings.map((finding) => describeFinding(finding, "es"))).toEqual([
    "Un archivo de reglas tiene más de 256 kB y no se tendrá en cuenta.",
  ]);
});
