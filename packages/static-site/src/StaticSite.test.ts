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
