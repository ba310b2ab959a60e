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
    get: (path: string) => {
      const answer = built.resolve(path);
      if (answer.kind === "none") return "404";
      return `${answer.status} ${answer.kind === "file" ? answer.file.sha256 : answer.to}`;
    },
  };
}

describe("a rewrite", () => {
  test.each(["/raw/_headers", "/raw/_redirects", "/one", "/two"])("of %s shows no rules", (path) => {
    const { get } = site(["404.html"], {
      redirects: "/raw/* /:splat 200\n/one /_headers 200\n/two /_redirects 404\n",
    });
    expect(get(path)).toBe("404 404.html");
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

  test("of one segment does not apply to a folder's page", () => {
    const { headers } = site(["blog/index.html", "blog/post.html"], { headers: "/blog/:slug\n  X-A: 1\n" });
    expect([headers("/blog/")["x-a"], headers("/blog/post")["x-a"]]).toEqual([undefined, "1"]);
  });
});
