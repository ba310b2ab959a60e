import type { SiteRules } from "@nido/contract";
import { createCustomer, signIn } from "@nido/test-kit/app";
import { openSites, type Sites, type TestSite } from "@nido/test-kit/sites";
import { afterAll, beforeAll, expect, test } from "vitest";

let sites: Sites;
let ana: TestSite;
let headers: Record<string, string>;
const undos: (() => Promise<void>)[] = [];

beforeAll(async () => {
  sites = await openSites((undo) => undos.unshift(undo));
  ana = await sites.open("anasite");
  headers = await signIn(sites.server, "anasite@example.com");
});
afterAll(async () => {
  for (const undo of undos) await undo();
});

const none: SiteRules = { redirects: "", files: [], uncached: [] };
const call = (payload?: object, as = headers) =>
  sites.server.app.inject({
    method: payload ? "PUT" : "GET",
    url: `/api/projects/${ana.id}/rules`,
    headers: as,
    ...(payload && { payload }),
  });
const set = async (rules: Partial<SiteRules>) => expect((await call({ ...none, ...rules })).statusCode).toBe(200);
const visit = async (path: string, method = "GET") => {
  const { status, headers: fields } = await ana.ask(path, { method });
  return [status, fields.location];
};

test("redirects answer before WordPress, keep the query, and leave WordPress itself alone", async () => {
  expect((await call()).json()).toEqual(none);
  expect((await ana.ask("/hola-mundo/")).status).toBe(200); // now it is kept
  const redirects = `
    # moved
    /hola-mundo /bienvenida 301
    /blog/:year/* /:year/:splat 302
    /un%20d%C3%ADa /otro-dia
    / utm_source=carta /carta 302
    /aqui/* /aqui/:splat/
    /tienda/* https://tienda.example.com/:splat 308
    /* https://example.com/ 301`;
  await set({ redirects: redirects.replace(/^ +/gm, "") });
  expect((await call()).json().redirects).toContain("/hola-mundo");
  expect(await visit("/hola-mundo/?a=1")).toEqual([301, "/bienvenida?a=1"]);
  expect(await visit("/blog/2025/un-d%C3%ADa")).toEqual([302, "/2025/un-d%C3%ADa"]);
  expect(await visit("/un%20d%c3%ada")).toEqual([301, "/otro-dia"]);
  expect(await visit("/tienda/x?a=1", "POST")).toEqual([308, "https://tienda.example.com/x?a=1"]);
  expect(await visit("/")).toEqual([301, "https://example.com/"]);
  expect((await visit("/blog/2025//example.org"))[1]).not.toMatch(/^\/\//);
  for (const own of ["/wp-login.php", "/wp-includes/css/dashicons.min.css"]) expect((await visit(own))[0]).toBe(200);
  // Certificate authorities and whoever redirects to where the visitor is.
  expect((await visit("/.well-known/acme-challenge/x"))[0]).toBe(404);
  expect(await visit("/aqui/x")).toEqual([301, "https://example.com/"]);
  await set({ redirects: "/* http://anasite.localhost:3000/:splat" });
  expect((await visit("/hola-mundo/"))[0]).toBe(200);
  await set({ redirects: "/* https://example.com/\n/nido-notas /notas" });
  expect((await visit("/?rest_route=/"))[0]).toBe(200);
  expect((await visit("/nido-notas"))[0]).toBe(301);
  await set({ redirects: "/ utm_source=carta /carta 302" });
  for (let i = 0; i < 3; i++) expect((await visit("/?utm_source=otra"))[0]).toBe(200);
  expect(await visit("/?utm_source=carta")).toEqual([302, "/carta?utm_source=carta"]);
  await set({});
  expect((await visit("/hola-mundo/"))[0]).toBe(200);
});

test("files at the root are served with their type, instead of WordPress's own", async () => {
  const files = [
    { name: "ads.txt", content: "google.com, pub-1, DIRECT\n" },
    { name: "robots.txt", content: "User-agent: *\nDisallow: /privado\n" },
    { name: "google123.html", content: "google-site-verification: google123.html" },
    { name: ".well-known/apple-app-site-association", content: "{}" },
  ];
  await set({ files });
  for (const { name, content } of files) expect((await ana.ask(`/${name}`)).text).toBe(content);
  expect((await ana.ask("/google123.html")).headers["content-type"]).toBe("text/html; charset=utf-8");
  expect((await ana.ask("/ads.txt")).headers["content-type"]).toBe("text/plain; charset=utf-8");
  expect((await ana.ask("/ads.txt", { method: "HEAD" })).text).toBe("");
  expect((await ana.ask("/ads.txt", { method: "POST" })).status).toBe(405);
  await set({});
  expect((await ana.ask("/ads.txt")).status).toBe(404);
  expect((await ana.ask("/robots.txt")).text).toContain("wp-admin");
});

test("pages that are excluded are made anew each time", async () => {
  const cacheOf = async (path: string) => {
    await ana.ask(path);
    return (await ana.ask(path)).headers["x-cache"];
  };
  expect(await cacheOf("/hola-mundo/")).toBe("hit");
  await set({ uncached: ["/hola-mundo", "/tienda/*"] });
  expect([await cacheOf("/hola-mundo/"), await cacheOf("/tienda/x"), await cacheOf("/")]).toEqual([
    "pass",
    "pass",
    "hit",
  ]);
  await set({});
  expect(await cacheOf("/hola-mundo/")).toBe("hit");
});

test("what cannot be followed is refused, and so is everybody else", async () => {
  const refused: [Partial<SiteRules>, string][] = [
    [{ redirects: "nonsense" }, "error_rules_redirect"],
    [{ redirects: "/a /b 200" }, "error_rules_redirect"],
    [{ redirects: "/a //example.org 301" }, "error_rules_redirect"],
    [{ redirects: "/a javascript:alert(1)" }, "error_rules_redirect"],
    [{ redirects: "/* https://:splat/" }, "error_rules_redirect"],
    [{ redirects: "/wp-admin/* /otro" }, "error_rules_redirect"],
    [{ redirects: "/a /b # \0" }, "error_rules_redirect"],
    [{ redirects: "x".repeat(20_000) }, "error_rules_long"],
    [{ uncached: ["tienda"] }, "error_rules_path"],
    [{ redirects: "/* https:///:splat" }, "error_rules_redirect"],
    [{ uncached: ["/50%ff"] }, "error_rules_path"],
    [{ uncached: ["/a\ud800"] }, "error_rules_path"],
    [{ uncached: Array(21).fill("/a") }, "error_rules_long"],
    ...[
      "shell.php",
      "../x.txt",
      "a/b.txt",
      ".htaccess",
      "wp-config.txt",
      "index.html",
      ".well-known/acme-challenge",
      "",
    ].map((name): [Partial<SiteRules>, string] => [{ files: [{ name, content: "" }] }, "error_rules_file"]),
    [{ files: Array(2).fill({ name: "ads.txt", content: "" }) }, "error_rules_file"],
    [{ files: [{ name: "ads.txt", content: "x".repeat(9000) }] }, "error_rules_long"],
    [{ files: [{ name: "ads.txt", content: "\0" }] }, "error_rules_file"],
  ];
  for (const [rules, error] of refused)
    expect([rules, (await call({ ...none, ...rules })).json()]).toEqual([rules, { error }]);
  expect((await call()).json()).toEqual(none);
  await createCustomer(sites.server, "bea@example.com");
  const stranger = await signIn(sites.server, "bea@example.com");
  for (const payload of [undefined, none])
    expect((await call(payload, stranger)).json()).toEqual({ error: "error_project_not_found" });
});
