import { describe, expect, test, vi } from "vitest";
import { headersFor, parseHeaderRules } from "./headerRules.ts";
import { parseRedirects } from "./redirects.ts";

describe("_headers", () => {
  test("apply to matching paths, and values of the same header are joined", () => {
    const { rules, faults } = parseHeaderRules("/*\n  X-A: 1\n\n# no\n/b/*\n  X-A: 2\n  Cache-Control: no-store\n");
    expect(faults).toEqual([]);
    expect(headersFor(rules, "/")).toEqual({ "x-a": "1" });
    expect(headersFor(rules, "/b/c")).toEqual({ "x-a": "1, 2", "cache-control": "no-store" });
  });

  const read = (text: string) => {
    const { rules, faults } = parseHeaderRules(text);
    return {
      rules: rules.map(({ pattern, headers }) => [pattern.source, ...headers.map((header) => header.join("="))]),
      faults: faults.map(({ line, reason }) => `${line} ${reason}`),
    };
  };

  test.each(["b", "b/*", "/b*c*", "https://old.example/*"])(
    "under a path that cannot be read belong to no other path: %s",
    (path) => {
      const { rules, faults } = read(`/a\n  X-A: 1\n${path}\n  X-B: 1\n`);
      expect([rules, faults.map((fault) => fault[0])]).toEqual([[["/a", "x-a=1"]], ["3", "4"]]);
    },
  );

  test.each([
    [
      "a path, whatever the indentation",
      "  /a\n  X-A: 1\n  /b\n  X-B: 2\n",
      [
        ["/a", "x-a=1"],
        ["/b", "x-b=2"],
      ],
      [],
    ],
    ["a header without indentation", "/a\nX-A: 1\n", [["/a", "x-a=1"]], []],
    ["spaces around the colon", "/a\n\n  X-A  :   1 \n", [["/a", "x-a=1"]], []],
    ["lines with CR, and a mark of the byte order", "\uFEFF/a\r\n  X-A: 1\r\n", [["/a", "x-a=1"]], []],
    ["a colon in the value", "/a\n  Link: <https://b.example>\n", [["/a", "link=<https://b.example>"]], []],
    ["an exclamation mark in a name", "/a\n  !Name: 1\n", [["/a", "!name=1"]], []],
    ["no value", "/a\n  X-A:\n", [["/a"]], ["2 no value"]],
    ["no name", "/a\n  : 1\n", [["/a"]], ["2 name"]],
    ["a name with a space", "/a\n  X A: 1\n  ! X-A: 1\n", [["/a"]], ["2 name", "3 name"]],
    ["no colon", "/a\n  X-A\n  !X-A\n  X-B: 1\n", [["/a", "x-b=1"]], ["2 no colon", "3 no colon"]],
    ["a header above the paths", "X-A: 1\n/a\n  X-B: 1\n", [["/a", "x-b=1"]], ["1 no path"]],
    ["a value that is no ASCII", "/a\n  X-A: señal\n  X-B: a\u0001b\n", [["/a"]], ["2 value", "3 value"]],
    [
      "a path without headers",
      "/a\n/b\n  X-A: 1\n/c\n",
      [["/a"], ["/b", "x-a=1"], ["/c"]],
      ["1 no headers", "4 no headers"],
    ],
    ["a path that is too long", `/${"a".repeat(2000)}\n  X-A: 1`, [], ["1 long", "2 long"]],
    ["a path with empty segments", "/a//b\n  X-A: 1", [["/a//b", "x-a=1"]], ["1 slashes"]],
    ["a name that comes twice", "/:a/:a\n  X-A: 1", [["/:a/:a", "x-a=1"]], ["1 twice"]],
    ["a long comment", `/a\n#${"a".repeat(3000)}\n  X-A: 1`, [["/a", "x-a=1"]], []],
  ])("are read as Netlify does, and each fault has its reason: %s", (_, text, rules, faults) => {
    expect(read(text)).toEqual({ rules, faults });
  });

  test("have a limit of paths, which is told", () => {
    const { rules, faults } = read(`${"/a\n  X-A: 1\n".repeat(1001)}`);
    expect([rules.length, faults]).toEqual([1000, ["2001 too many", "2002 too many"]]);
  });

  test("that an earlier rule set are removed by a later one", () => {
    const { rules, faults } = parseHeaderRules(
      "/*\n  X-A: 1\n  X-B: 1\n/b/*\n  ! X-A\n  X-B: 2\n/b/c\n  X-A: 3\n  ! X-C\n",
    );
    expect(faults).toMatchObject([{ line: 9, reason: "not set" }]);
    expect(headersFor(rules, "/a")).toEqual({ "x-a": "1", "x-b": "1" });
    expect(headersFor(rules, "/b/d")).toEqual({ "x-b": "1, 2" });
    expect(headersFor(rules, "/b/c")).toEqual({ "x-a": "3", "x-b": "1, 2" });
  });

  test("and _redirects are parsed fast even if they are crafted to be slow", () => {
    for (const text of [` a:${" ".repeat(200_000)}é`, `${" #".repeat(100_000)}\rx`, "x".repeat(250_000)]) {
      expect(parseHeaderRules(`/*\n${text}`).rules[0]?.headers).toEqual([]);
      expect(parseRedirects(text).rules).toEqual([]);
    }
  });

  test.each([
    ["/movies/:title\n  X-Name: You watch :title", "/movies/Alien", "You watch Alien"],
    ["/movies/*\n  X-Name: </:splat>; rel=x", "/movies/a/é>; b/'*'", "</a/%C3%A9%3E%3B%20b/%27%2A%27>; rel=x"],
    ["/movies/:title\n  X-Name: :title", "/movies/a\r\nSet-Cookie: b", "a%0D%0ASet-Cookie%3A%20b"],
    ["/movies/:title\n  X-Name: :titles :other https://x:80 a:*", "/movies/a", ":titles :other https://x:80 a:*"],
    ["/:title.html\n  X-Name: :title", "/movies", "movies"],
  ])("may use what the placeholders of the path stand for: %j", (text, path, value) => {
    expect(headersFor(parseHeaderRules(text).rules, path, `${path}.html`)).toEqual({ "x-name": value });
  });

  test("do not grow without end by what a visitor fills in", () => {
    const { rules } = parseHeaderRules(`/*\n${`  X-A: ${":splat".repeat(300)}\n`.repeat(100)}`);
    const { "x-a": value = "" } = headersFor(rules, `/${"é".repeat(300)}`);
    expect(value.length).toBeLessThan(250_000);
  });

  test("encode little of what a visitor fills in, however many rules match", () => {
    const paths = Array.from({ length: 1000 }, (_, index) => (index % 2 ? "/*" : `/${"a".repeat(index % 200)}*`));
    const { rules } = parseHeaderRules(paths.map((path) => `${path}\n  X-A: :splat :splat\n`).join(""));
    for (const path of [`/${"a".repeat(1080)}`, `/${"é".repeat(1080)}`, `/${"é".repeat(4000)}`]) {
      const encode = vi.spyOn(globalThis, "encodeURIComponent");
      headersFor(rules, path);
      const length = encode.mock.calls.reduce((sum, [text]) => sum + `${text}`.length, 0);
      encode.mockRestore();
      expect(length).toBeLessThanOrEqual(2 * 8000);
    }
  });

  test("never show a password to visitors", () => {
    const { rules, faults } = parseHeaderRules("/admin/*\n  Basic-Auth: me:secret\n");
    expect([rules[0]?.headers, faults[0]?.reason]).toEqual([[], "password"]);
  });

  test.each([
    "  Basic-Auth: me:secret",
    "  basic-auth : me:secret",
    "  Basic-Auth me:secret",
    "  X Basic-Auth: me:secret",
    "/admin/* Basic-Auth: me:secret",
    `  Basic-Auth: me:secret${" ".repeat(2000)}x`,
    "/a https://me:secret@host.example/ 200",
  ])("and _redirects are told without the password: %s", (line) => {
    const { faults } = parseHeaderRules(`${line}\n`);
    const quoted = [...faults, ...parseRedirects(`${line}\n`).faults].map(({ text }) => text);
    expect(quoted.length).toBeGreaterThan(0);
    expect(quoted.join("\n")).not.toContain("secret");
  });

  test("cannot set cookies or message framing", () => {
    const text =
      "/*\n  Set-Cookie: a=1\n  Content-Length: 3\n  Transfer-Encoding: chunked\n  no colon\n  X: a\u0001\nx\n";
    const { rules, faults } = parseHeaderRules(text);
    expect(rules).toMatchObject([{ pattern: { source: "/*" }, headers: [] }]);
    expect(faults.map(({ reason }) => reason)).toEqual(["header", "header", "header", "no colon", "value", "no colon"]);
  });
});
