import { parseHeaderRules, parseRedirects } from "@nido/contract";
import { describe, expect, test } from "vitest";
import { StaticSite } from "./StaticSite.ts";

/** A site with these files, whose contents are their names. */
function site(names: string[], { redirects = "", headers = "" } = {}) {
  const entry = (name: string) => ({ sha256: name, size: 1, type: "text/html", forms: { gzip: null, br: null } });
  const built = new StaticSite({
    publishedAt: new Date(0),
    files: new Map([...names, "_redirects", "_headers"].map((name) => [name, entry(name)])),
    redirects: parseRedirects(redirects).rules,
    headerRules: parseHeaderRules(headers).rules,
  });
  return {
    headers: (path: string) => {
      const answer = built.resolve(path);
      return answer.kind === "file" ? answer.headers : {};
    },
    /** `200 about.html`, `308 /about` or `404` */
    get: (url: string, host?: string) => {
      const [path = "", query] = url.split("?");
      const answer = built.resolve(path, query, host);
      if (answer.kind === "none") return "404";
      return `${answer.status} ${answer.kind === "file" ? answer.file.sha256 : answer.to}`;
    },
  };
}

describe("a redirect", () => {
  const names = ["index.html", "about.html", "en/404.html", "404.html", "data.json"];
  test.each([
    ["/old /about", "/old", "301 /about"],
    ["/old /about", "/old/", "301 /about"],
    ["/old /about 302", "/old", "302 /about"],
    ["/old /about 303", "/old", "303 /about"],
    ["/old /about 307", "/old", "307 /about"],
    ["/old /about 308", "/old", "308 /about"],
    ["/old /about#team", "/old", "301 /about#team"],
    ["/old /about", "/old?a=1", "301 /about?a=1"],
    ["/old /about?b=2", "/old?a=1", "301 /about?b=2"],
    ["/old https://new.example/:a", "/old", "301 https://new.example/:a"],
    ["/shop/* https://shop.example/:splat", "/shop/a/b?c=1", "301 https://shop.example/a/b?c=1"],
    ["/find q=:word /search/:word", "/find?q=a", "301 /search/a?q=a"],
    ["/find?q=:word /search/:word", "/find?q=a", "301 /search/a?q=a"],
    ["/find q=:word /search/:word", "/find", "404 404.html"],
    ["/old /one\n/old /two", "/old", "301 /one"],
    ["/data.json /about", "/data.json", "200 data.json"],
    ["/about.html /data.json", "/about.html", "308 /about"],
    ["/data.json /about 301!", "/data.json", "301 /about"],
    ["/about /data.json 301!", "/about", "301 /data.json"],
    ["/app/* /index.html 200", "/app/x", "200 index.html"],
    ["/en/* /en/404.html 404", "/en/x", "404 en/404.html"],
    ["/data.json /404.html 404!", "/data.json", "404 404.html"],
    ["/app/* /none.html 200", "/app/x", "404 404.html"],
    ["/a /a", "/a", "404 404.html"],
    ["/about /about.html 301!", "/about", "200 about.html"],
    ["/p/ /p 301!", "/p/", "404 404.html"],
    ["/* /:splat/ 301!", "/about", "200 about.html"],
  ])("%j answers %s with %s", (redirects, url, answer) => expect(site(names, { redirects }).get(url)).toBe(answer));
});

test.each([
  ["/folder/ https://own.example/folder.html 301!", "/folder/", "200 folder/index.html"],
  ["/folder/ https://OWN.example/folder/ 301!", "/folder/", "200 folder/index.html"],
  ["/* https://own.example/:splat 301!", "/folder/", "200 folder/index.html"],
  ["/folder/ https://www.own.example/folder.html 301!", "/folder/", "301 https://www.own.example/folder.html"],
  ["/folder/ https://own.example/x 301!", "/folder/", "301 https://own.example/x"],
])("a redirect to the site's own host does not lead back: %s answers %s with %s", (redirects, url, answer) => {
  expect(site(["folder/index.html"], { redirects }).get(url, "own.example")).toBe(answer);
});

test.each([
  ["/old.html /new", "/old.html", "301 /new"],
  ["/old.html /new", "/old/", "200 old/index.html"],
  ["/old.html /new", "/old/index", "308 /old/"],
  ["/blog/* https://blog.example/:splat", "/blog/index.html", "301 https://blog.example/index.html"],
  ["/blog/* https://blog.example/:splat", "/blog/index", "301 https://blog.example/index"],
  ["/blog/* https://blog.example/:splat", "/blog", "200 blog.html"],
  ["/blog/* https://blog.example/:splat", "/blog/", "308 /blog"],
  ["/old/* /new", "/old/index.html", "308 /old/"],
  ["/* /blog 200", "/old.html", "200 blog.html"],
  ["/none /new", "/old.html", "308 /old/"],
])("a rule comes before the other spellings of a page: %j answers %s with %s", (redirects, url, answer) => {
  expect(site(["old/index.html", "blog.html"], { redirects }).get(url)).toBe(answer);
});

describe("a rewrite", () => {
  test.each(["/raw/_headers", "/raw/_redirects", "/one", "/two"])("of %s shows no rules", (path) => {
    const { get } = site(["404.html"], {
      redirects: "/raw/* /:splat 200\n/one /_headers 200\n/two /_redirects 404\n",
    });
    expect(get(path)).toBe("404 404.html");
  });

  test("has the headers of the address, and is not kept as the file that it shows", () => {
    const { headers } = site(["assets/app-Ab12Cd34.js", "index.html"], {
      redirects: "/latest.js /assets/app-Ab12Cd34.js 200\n/assets/:name.js /assets/:name.js 200!\n/* /index.html 200\n",
      headers: "/admin/*\n  X-A: 1\n/assets/*\n  X-B: 1\n/index.html\n  X-C: 1\n",
    });
    const revalidate = "public, max-age=0, must-revalidate";
    expect(headers("/latest.js")).toMatchObject({ "cache-control": revalidate });
    expect(headers("/latest.js")).not.toHaveProperty("x-b");
    expect(headers("/assets/app-Ab12Cd34.js")).toMatchObject({
      "cache-control": "public, max-age=31536000, immutable",
      "x-b": "1",
    });
    expect(headers("/admin/users")).toMatchObject({ "x-a": "1", "cache-control": revalidate });
    expect(headers("/admin/users")).not.toHaveProperty("x-c");
    expect(headers("/")).toMatchObject({ "x-c": "1" });
  });
});

describe("a block of _headers", () => {
  test.each([
    ["/", "/index.html"],
    ["/about", "/about.html"],
    ["/templates/", "/templates/index.html"],
    ["/none", "/404.html"],
    ["/about", "/*.html"],
    ["/about", "/about"],
  ])("applies to %s also if it is named by the file: %s", (path, block) => {
    const names = ["index.html", "about.html", "templates/index.html", "404.html"];
    const { headers } = site(names, { headers: `${block}\n  X-A: 1\n` });
    expect(headers(path)["x-a"]).toBe("1");
  });

  test("replaces our own headers, and may come several times", () => {
    const { headers } = site(["index.html", "f.woff2"], {
      headers: `/*
  Cache-Control: public
/*
  Cache-Control: max-age=60
  Access-Control-Allow-Origin: https://a.example
`,
    });
    expect(headers("/")).toMatchObject({ "cache-control": "public, max-age=60" });
    expect(headers("/f.woff2")).toMatchObject({ "access-control-allow-origin": "https://a.example" });
  });

  test("of one segment does not apply to a folder's page", () => {
    const { headers } = site(["blog/index.html", "blog/post.html"], { headers: "/blog/:slug\n  X-A: 1\n" });
    expect([headers("/blog/")["x-a"], headers("/blog/post")["x-a"]]).toEqual([undefined, "1"]);
  });
});

describe("a page", () => {
  const names = ["index.html", "both.html", "both/index.html", "file.html", "folder/index.html", "bin%2F"];
  const { get } = site([
    ...names,
    "bin/index.html",
    "file-bin",
    "file-bin.html",
    "a/index/index.html",
    "b.html/index.html",
  ]);

  test.each([
    ["/", "200 index.html"],
    ["/index", "308 /"],
    ["/index/", "308 /"],
    ["/index.html", "308 /"],
    ["/both", "200 both.html"],
    ["/both.html", "308 /both"],
    ["/both/", "200 both/index.html"],
    ["/both/index", "308 /both/"],
    ["/both/index.html", "308 /both/"],
    ["/file", "200 file.html"],
    ["/file.html", "308 /file"],
    ["/file/", "308 /file"],
    ["/file/index", "308 /file"],
    ["/file/index.html", "308 /file"],
    ["/folder", "308 /folder/"],
    ["/folder.html", "308 /folder/"],
    ["/folder/", "200 folder/index.html"],
    ["/folder/index", "308 /folder/"],
    ["/folder/index.html", "308 /folder/"],
    ["/bin", "308 /bin/"],
    ["/bin.html", "308 /bin/"],
    ["/bin/", "200 bin/index.html"],
    ["/bin/index", "308 /bin/"],
    ["/bin/index.html", "308 /bin/"],
    // as it is when it is decoded
    ["/bin%2F", "200 bin%2F"],
    ["/file-bin", "200 file-bin"],
    ["/file-bin.html", "200 file-bin.html"],
    ["/file-bin/", "404"],
    ["/file-bin/index", "404"],
    ["/file-bin/index.html", "404"],
    ["/a/index", "308 /a/index/"],
    ["/a/index/", "200 a/index/index.html"],
    ["/a/", "404"],
    ["/b.html", "308 /b.html/"],
    ["/none/index", "404"],
    ["/_headers", "404"],
    ["/_redirects/", "404"],
  ])("is shown at one address: %s is answered with %s", (path, answer) => expect(get(path)).toBe(answer));

  test("is shown by a rewrite at any of its addresses", () => {
    const targets = ["/file", "/file.html", "/file/", "/folder", "/folder/", "/folder/index.html"];
    const redirects = targets.map((target, index) => `/${index} ${target} 200`).join("\n");
    const { get: getRewritten } = site(names, { redirects });
    expect(targets.map((_, index) => getRewritten(`/${index}`))).toEqual([
      ...Array(3).fill("200 file.html"),
      ...Array(3).fill("200 folder/index.html"),
    ]);
  });
});
