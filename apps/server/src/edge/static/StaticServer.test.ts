import { mkdtempSync, rmSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { createCustomer } from "@nido/test-kit/app";
import { type Files, openPublisher } from "@nido/test-kit/publish";
import { ask, type Question } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { announceChange } from "../../db/announceChange.ts";
import { compressDeploy } from "../../deploys/compressDeploy.ts";

let publisher: Awaited<ReturnType<typeof openPublisher>>;
const undos: (() => unknown)[] = [];
const large = Buffer.from(Array.from({ length: 3_000_000 }, (_, index) => index % 251));
const site: Files = {
  "index.html": `<link href=/app-Ab12Cd34.js>${"home ".repeat(100)}`,
  "about.html": "about",
  "blog/index.html": "blog",
  "blog/post.html": "post",
  "blog/404.html": "no such post",
  "404.html": "nowhere",
  "app-Ab12Cd34.js": "let x = 1;".repeat(50),
  "report-20260101.pdf": "%PDF",
  "días y noches.txt": "hola",
  "data.json": "{}",
  feed: "a feed without an extension",
  "feed.html": "about the feed",
  "large.bin": large,
  ".well-known/security.txt": "Contact: x",
  _redirects:
    "/old /about\n/shop/* /blog/:splat 302\n/app/* /index.html 200\n/about /elsewhere\n/data.json /about 302!\n/go/* /:splat\n/blog/post /blog/post.html 301!\n/p-:id.php /blog/:id\n/blog/ http://folio.localhost:3000/blog.html 301!\n/about https://folio.localhost:3000/about/ 301!\n",
  _headers: "/blog/*\n  X-Blog: yes\n/*.pdf\n  X-Pdf: 1\n/data\n  Set-Cookie: a=1\n",
};

beforeAll(async () => {
  const folder = mkdtempSync(join(tmpdir(), "nido-edge-"));
  undos.push(() => rmSync(folder, { recursive: true, force: true }));
  publisher = await openPublisher(createCustomer, {
    env: { DATA_DIR: folder },
    whenDone: (undo) => void undos.unshift(undo),
  });
  const { id } = await publisher.cli.publish("folio", site);
  await compressDeploy(publisher.server.deploys, { deployId: id, userId: publisher.userId });
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

const visit = (path: string, question?: Question) => ask(publisher.address, "folio.localhost:3000", path, question);

test.each([
  ["/", 200, "home"],
  ["/?utm=1", 200, "home"],
  ["/about", 200, "about"],
  ["/blog/", 200, "blog"],
  ["/blog%2F", 200, "blog"],
  ["/blog/post", 200, "post"],
  ["/d%C3%ADas%20y%20noches.txt", 200, "hola"],
  ["/.well-known/security.txt", 200, "Contact"],
  ["/app/deep/link", 200, "home"],
  ["/feed", 200, "a feed without"],
  ["/feed.html", 200, "about the feed"],
  ["/none", 404, "nowhere"],
  ["/blog/none/at/all", 404, "no such post"],
  ["/_redirects", 404, "nowhere"],
  ["/_headers", 404, "nowhere"],
  ["/%", 400, "400 Bad Request"],
  [`/${"a/".repeat(2000)}`, 404, "404"],
])("GET %s answers %s with %s", async (path, status, text) => {
  // Twice, because the second answer may come from the in-memory file cache.
  for (const _ of [1, 2]) {
    const answer = await visit(path);
    expect([answer.status, answer.text]).toEqual([status, expect.stringContaining(text)]);
  }
});

test.each([
  ["/about.html", 308, "/about"],
  ["/about/", 308, "/about"],
  ["/index.html?a=1", 308, "/?a=1"],
  ["/blog", 308, "/blog/"],
  ["/blog/index.html", 308, "/blog/"],
  ["/old", 301, "/about"],
  ["/old?a=1", 301, "/about?a=1"],
  ["/shop/x%20y", 302, "/blog/x%20y"],
  ["/data.json", 302, "/about"],
  ["/p-post.php", 301, "/blog/post"],
  ["/go/%5Cevil.example", 301, "/%5Cevil.example"],
])("GET %s redirects with %s to %s", async (path, status, to) => {
  const { status: actual, headers } = await visit(path);
  expect([actual, headers.location]).toEqual([status, to]);
});

describe("headers", () => {
  test("give the content type, the cache policy and what the site's _headers file adds", async () => {
    const { headers: home } = await visit("/");
    expect(home).toMatchObject({
      "content-type": "text/html; charset=utf-8",
      "cache-control": "public, max-age=0, must-revalidate",
      "x-content-type-options": "nosniff",
      vary: "accept-encoding",
    });
    expect((await visit("/app-Ab12Cd34.js")).headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect((await visit("/report-20260101.pdf")).headers["cache-control"]).toContain("max-age=0");
    expect((await visit("/blog/post")).headers["x-blog"]).toBe("yes");
    expect((await visit("/report-20260101.pdf")).headers["x-pdf"]).toBe("1");
    expect((await visit("/data.json")).headers).not.toHaveProperty("x-pdf");
    expect((await visit("/large.bin")).headers["content-type"]).toBe("application/octet-stream");
  });

  test("of HEAD are those of GET, without a body; other methods get 405", async () => {
    const [head, get] = [await visit("/large.bin", { method: "HEAD" }), await visit("/large.bin")];
    const { date: _, ...same } = get.headers;
    expect(head.headers).toMatchObject(same);
    expect([head.body.length, get.body.equals(large)]).toEqual([0, true]);
    const post = await visit("/", { method: "POST", body: "x" });
    expect([post.status, post.headers.allow]).toEqual([405, "GET, HEAD"]);
  });
});

test("a matching If-None-Match gets 304, with one ETag per encoding", async () => {
  const tags = new Set<string>();
  for (const encoding of ["br", "gzip", "identity"]) {
    const headers = { "accept-encoding": encoding };
    const { etag = "" } = (await visit("/", { headers })).headers;
    expect(etag).toMatch(/^"[0-9a-f]{32}(-br|-gzip)?"$/);
    tags.add(etag);
    for (const known of [etag, `W/${etag}`, `"x", ${etag}`, "*"]) {
      const answer = await visit("/", { headers: { ...headers, "if-none-match": known } });
      expect([known, answer.status, answer.body.length]).toEqual([known, 304, 0]);
      expect(answer.headers.etag).toBe(etag);
    }
    expect((await visit("/", { headers: { ...headers, "if-none-match": '"other"' } })).status).toBe(200);
  }
  expect(tags.size).toBe(3);
});

test("a visitor who has a file already is answered on the fast path, and one who has an old version, too", async () => {
  let requests = 0;
  const count = () => requests++;
  publisher.server.app.server.on("request", count);
  const { headers } = await visit("/");
  const known = await visit("/", { headers: { "if-none-match": String(headers.etag) } });
  expect([known.status, known.body.length]).toEqual([304, 0]);
  const { "content-length": _, "content-type": __, date: ___, ...fields } = headers;
  expect(known.headers).toMatchObject(fields);
  expect(known.headers["content-type"]).toBeUndefined();
  const old = await visit("/", { headers: { "if-none-match": '"old"' } });
  expect([old.status, old.text]).toEqual([200, site["index.html"]]);
  const missing = await visit("/blog/nothing", { headers: { "if-none-match": "*" } });
  expect([missing.status, missing.text]).toEqual([404, "no such post"]);
  publisher.server.app.server.off("request", count);
  expect(requests).toBe(0);
});

test("If-Modified-Since, If-Match and If-Unmodified-Since are answered, and a roll-back is no old date", async () => {
  const { headers: shown } = await visit("/about");
  const { "last-modified": date = "", etag = "" } = shown;
  const statusOf = async (headers: Record<string, string>) => (await visit("/about", { headers })).status;
  const day = (offset: number) => new Date(Date.parse(date) + offset * 86_400_000).toUTCString();
  expect(Math.abs(Date.now() - Date.parse(date))).toBeLessThan(600_000);
  expect(await statusOf({ "if-modified-since": date })).toBe(304);
  // The file may have come back after a newer one.
  expect(await statusOf({ "if-modified-since": day(1) })).toBe(200);
  expect(await statusOf({ "if-modified-since": date, "if-none-match": '"other"' })).toBe(200);
  expect(await statusOf({ "if-match": etag })).toBe(200);
  expect(await statusOf({ "if-match": `"x", ${etag}` })).toBe(200);
  expect(await statusOf({ "if-match": "*" })).toBe(200);
  expect(await statusOf({ "if-match": '"other"' })).toBe(412);
  expect(await statusOf({ "if-match": `W/${etag}` })).toBe(412);
  expect(await statusOf({ "if-unmodified-since": date })).toBe(200);
  expect(await statusOf({ "if-unmodified-since": day(-1) })).toBe(412);
});

test.each([
  ["br, gzip", "br"],
  ["gzip;q=1.0, br;q=0.5", "gzip"],
  ["gzip;q=0.5, br;q=1.0", "br"],
  ["br;q=0, *", "gzip"],
  ["br;q=0, gzip;q=0", undefined],
  ["identity", undefined],
])("Accept-Encoding: %s gets %s", async (accepted, encoding) => {
  const { headers } = await visit("/", { headers: { "accept-encoding": accepted } });
  expect(headers["content-encoding"]).toBe(encoding);
});

test.each([
  ["//about", "/about"],
  ["//evil.example/x", "/evil.example/x"],
  ["/blog/../about?x=1", "/about?x=1"],
  ["/%2e%2e/about", "/about"],
  ["/blog/./post", "/blog/post"],
  ["/..//..//", "/"],
  ["/..%2f..%2fetc/passwd", "/etc/passwd"],
  ["//wp-login.php", "/wp-login.php"],
  ["/go//evil.example", "/go/evil.example"],
  ["/go/..%2F%2Fevil.example", "/evil.example"],
])("%s leads to %s", async (path, to) => {
  const { status, headers } = await visit(path);
  expect([status, headers.location]).toEqual([308, to]);
});

test("an absolute target names the host; an unknown version of HTTP is refused", async () => {
  const say = async (line: string) => {
    const socket = connect(Number(publisher.address.split(":")[1]), "127.0.0.1");
    socket.end(`${line}\r\nHost: other.example\r\nConnection: close\r\n\r\n`);
    return (await text(socket)).replace(/\r\n.*\r\n\r\n/s, " ");
  };
  expect(await say("GET http://folio.localhost:3000/about HTTP/1.1")).toBe("HTTP/1.1 200 OK about");
  expect(await say("GET http://folio.localhost:3000 HTTP/1.1")).toMatch(/^HTTP\/1.1 200 OK .*home/);
  expect(await say("GET http://folio.localhost:3000/about HTTP/2.0")).toMatch(/^HTTP\/1.1 505 /);
  expect(await say("GET / HTTP/3.0")).toMatch(/^HTTP\/1.1 (400|505) /);
});

test("fonts may be used by pages of other sites, unless the site's rules say otherwise", async () => {
  const files = {
    "index.html": "x",
    "a/f.woff2": "f",
    "b/f.woff2": "f",
    _headers: "/b/*\n  Access-Control-Allow-Origin: https://a.example\n",
  };
  await publisher.cli.publish("folio", files, { branch: "fonts" });
  const allowed = async (path: string) =>
    (await ask(publisher.address, "fonts--folio.localhost:3000", path)).headers["access-control-allow-origin"];
  expect([await allowed("/a/f.woff2"), await allowed("/b/f.woff2"), await allowed("/")]).toEqual([
    "*",
    "https://a.example",
    undefined,
  ]);
});

describe("a Range request", () => {
  test.each([
    ["bytes=0-9", 206, [0, 10]],
    ["bytes=2999990-", 206, [2_999_990, 3_000_000]],
    ["bytes=-5", 206, [2_999_995, 3_000_000]],
    ["bytes=10-99999999", 206, [10, 3_000_000]],
    ["bytes=3000000-", 416, undefined],
    ["bytes=9-2", 200, [0, 3_000_000]],
    ["bytes=0-1,x", 200, [0, 3_000_000]],
    ["bytes=0-,0-", 200, [0, 3_000_000]],
    [`bytes=${Array.from({ length: 17 }, (_, index) => `${index}-${index}`)}`, 200, [0, 3_000_000]],
    ["bytes=0-1,3000000-", 206, [0, 2]],
    ["lines=0-1", 200, [0, 3_000_000]],
  ])("for %s answers %s", async (range, status, part) => {
    const answer = await visit("/large.bin", { headers: { range, "accept-encoding": "br" } });
    expect(answer.status).toBe(status);
    if (part) expect(answer.body.equals(large.subarray(...(part as [number, number])))).toBe(true);
    else expect(answer.headers["content-range"]).toBe("bytes */3000000");
    if (status === 206 && part)
      expect(answer.headers["content-range"]).toBe(`bytes ${part[0]}-${(part[1] ?? 0) - 1}/3000000`);
  });

  test.each(["/large.bin", "/about"])("for several ranges of %s answers each with its place", async (path) => {
    const whole = (await visit(path)).body;
    const size = whole.length;
    const { status, headers, body } = await visit(path, { headers: { range: "bytes=0-1, 3-3,-1" } });
    const [, boundary] = /^multipart\/byteranges; boundary=(\w+)$/.exec(headers["content-type"] ?? "") ?? [];
    expect([status, headers["content-length"]]).toEqual([206, String(body.length)]);
    const parts = body.toString("latin1").split(`\r\n--${boundary}`);
    expect([parts.length, parts[0], parts[4]]).toEqual([5, "", "--\r\n"]);
    const shown = parts.slice(1, 4).map((part) => part.split("\r\n\r\n"));
    expect(shown.map(([head]) => /bytes [\d-]+\/\d+/.exec(head ?? "")?.[0])).toEqual([
      `bytes 0-1/${size}`,
      `bytes 3-3/${size}`,
      `bytes ${size - 1}-${size - 1}/${size}`,
    ]);
    const expected = [whole.subarray(0, 2), whole.subarray(3, 4), whole.subarray(-1)];
    expect(shown.map(([, content]) => content)).toEqual(expected.map((bytes) => bytes.toString("latin1")));
  });

  test("with If-Range gets a part only while the ETag matches", async () => {
    const { etag = "" } = (await visit("/data.json", {})).headers;
    const current = (await visit("/large.bin", { method: "HEAD" })).headers.etag ?? "";
    expect(etag).toBe("");
    expect((await visit("/large.bin", { headers: { range: "bytes=0-1", "if-range": current } })).status).toBe(206);
    expect((await visit("/large.bin", { headers: { range: "bytes=0-1", "if-range": '"old"' } })).status).toBe(200);
    // A date does not tell two files of one second apart.
    const { "last-modified": date = "" } = (await visit("/large.bin", { method: "HEAD" })).headers;
    expect((await visit("/large.bin", { headers: { range: "bytes=0-1", "if-range": date } })).status).toBe(200);
  });
});

describe("after a deploy was replaced", () => {
  const build = (name: string): Files => ({
    "index.html": `page ${name}`,
    "style.css": `/* ${name} */`,
    [`assets/app-${name}Xy34Zw.js`]: `// ${name}`,
    _redirects: "/* /index.html 200",
    _headers: `/*\n  X-Shown: ${name}`,
  });
  const show = (path: string, question?: Question) =>
    ask(publisher.address, "old--folio.localhost:3000", path, question);

  test("names by content stay reachable for a day; all else is the newest at once", async () => {
    const { cli, server, userId } = publisher;
    const publish = (name: string) => cli.publish("folio", build(name), { branch: "old" });
    const asset = async (name: string) => {
      const { status, text, headers } = await show(`/assets/app-${name}Xy34Zw.js`);
      return [status, text, headers["cache-control"]?.includes("immutable"), headers["x-shown"]];
    };
    await publish("A1");
    expect(await asset("A1")).toEqual([200, "// A1", true, "A1"]);
    expect((await show("/style.css")).text).toBe("/* A1 */");
    await publish("B2");
    expect([(await show("/")).text, (await show("/style.css")).text]).toEqual(["page B2", "/* B2 */"]);
    expect(await asset("A1")).toEqual([200, "// A1", true, "B2"]);
    await publish("C3");
    expect([await asset("A1"), await asset("B2")]).toEqual([
      [200, "// A1", true, "C3"],
      [200, "// B2", true, "C3"],
    ]);
    // A name that nobody published gets the page of the rule, which is not kept.
    expect(await asset("D4")).toEqual([200, "page C3", false, "C3"]);
    const { headers } = await show("/assets/app-A1Xy34Zw.js");
    const again = await show("/assets/app-A1Xy34Zw.js", { headers: { "if-none-match": String(headers.etag) } });
    expect(again.status).toBe(304);

    await server.db.transaction(async (tx) => {
      await tx.execute(sql`update branches set replaced = jsonb_set(replaced, '{1,at}', ${Date.now() - 86_400_001}::text::jsonb)
        where name = 'old'`);
      await announceChange(tx, userId);
    });
    await expect.poll(async () => (await asset("A1"))[1]).toBe("page C3");
    expect(await asset("B2")).toEqual([200, "// B2", true, "C3"]);
  });

  test("visitors who load a page during publications always get its own files", async () => {
    const names = Array.from({ length: 12 }, (_, index) => `V${index.toString(36)}`);
    const publish = (name: string) => publisher.cli.publish("folio", build(name), { branch: "old" });
    await publish("V0");
    let isDone = false;
    const loads: string[] = [];
    const load = async () => {
      while (!isDone) {
        const name = (await show("/")).text.replace("page ", "");
        const { text } = await show(`/assets/app-${name}Xy34Zw.js`);
        loads.push(`${name} ${text}`);
      }
    };
    const visitors = [load(), load(), load()];
    for (const name of names.slice(1)) await publish(name);
    isDone = true;
    await Promise.all(visitors);
    expect(loads.length).toBeGreaterThan(names.length);
    expect(loads.filter((each) => each !== `${each.split(" ")[0]} // ${each.split(" ")[0]}`)).toEqual([]);
  });
});

test("a suspended site answers 503 with the reason, and is served again when it is active", async () => {
  const { server, userId } = publisher;
  const setStatus = (status: string) =>
    server.db.transaction(async (tx) => {
      await tx.execute(sql`update projects set status = ${status} where name = 'folio'`);
      await announceChange(tx, userId);
    });
  const visitBranch = (branch: string) => ask(publisher.address, `${branch}--folio.localhost:3000`, "/");
  await publisher.cli.publish("folio", { "index.html": "next" }, { branch: "next" });
  expect((await visit("/")).status).toBe(200);
  await setStatus("suspended");
  await expect.poll(async () => (await visit("/")).status).toBe(503);
  expect((await visit("/about")).text).toContain("suspend");
  expect(await visitBranch("next")).toMatchObject({ status: 503, text: expect.stringContaining("suspend") });
  expect((await visitBranch("none")).status).toBe(404);
  await setStatus("active");
  await expect.poll(async () => (await visit("/about")).text).toBe("about");
});
