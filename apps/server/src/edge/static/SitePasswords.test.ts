import { createCustomer, signIn } from "@nido/test-kit/app";
import { openPublisher } from "@nido/test-kit/publish";
import { ask, type Question } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";

const files = { "index.html": "the secret page", "assets/app-Ab12Cd34.js": "secret()", _redirects: "/old /new" };

async function open() {
  const { server, cli, address } = await openPublisher(createCustomer);
  const published = await cli.publish("folio", files);
  const headers = await signIn(server);
  const set = async (payload: object, as = headers) =>
    (
      await server.app.inject({ method: "PUT", url: "/api/publish/projects/folio/password", headers: as, payload })
    ).json();
  const visit = (path: string, question?: Question, host = "folio.localhost:3000") =>
    ask(address, host, path, question);
  const enter = async (password: string, host?: string) => {
    const answer = await visit("/", { form: { password } }, host);
    const [cookie = ""] = String(answer.headers["set-cookie"] ?? "").split(";");
    return { ...answer, cookie };
  };
  return { server, cli, headers, published, set, visit, enter };
}

test("visitors need the password, in all of the site, and the owner can change and remove it", async () => {
  const { cli, published, set, visit, enter } = await open();
  await cli.publish("folio", files, { branch: "next" });
  expect((await visit("/")).text).toBe("the secret page");
  expect(await set({ password: "short" })).toEqual({ error: "error_site_password" });
  expect(await set({ password: "open sesame" })).toEqual({ ok: true });

  const permanent = new URL(published.deploy_url ?? "").host;
  for (const [path, host] of [
    ["/"],
    ["/assets/app-Ab12Cd34.js"],
    ["/old"],
    ["/none"],
    ["/", "next--folio.localhost:3000"],
    ["/", permanent],
  ] as const) {
    const { status, text, headers } = await visit(path, {}, host);
    expect([path, host, status, headers["cache-control"]]).toEqual([path, host, 401, "no-store"]);
    expect(text).toContain('type="password"');
    expect(text).not.toContain("secret");
  }
  const english = await visit("/", { headers: { "accept-language": "en-GB,en" } });
  expect(english.text).toContain("This site has a password");

  const wrong = await enter("open Sesame");
  expect([wrong.status, wrong.cookie]).toEqual([401, ""]);
  expect(wrong.text).toContain("Esa no es la contraseña");
  const right = await enter("open sesame");
  expect([right.status, right.headers.location]).toEqual([303, "/"]);
  expect(right.headers["set-cookie"]?.[0]).toMatch(/; Path=\/; Max-Age=604800; HttpOnly; SameSite=Lax$/);
  const { cookie } = right;
  const page = await visit("/", { headers: { cookie } });
  expect([page.status, page.text]).toEqual([200, "the secret page"]);
  expect(page.headers["cache-control"]).toBe("private, max-age=0, must-revalidate");
  const asset = await visit("/assets/app-Ab12Cd34.js", { headers: { cookie: `a=1; ${cookie}; b=2` } });
  expect(asset.headers["cache-control"]).toBe("private, max-age=31536000, immutable");
  expect((await visit("//evil.example", { form: { password: "open sesame" } })).headers.location).toBe("/evil.example");

  for (const forged of [cookie.slice(0, -1), cookie.replace(/=\d/, "=9"), "nido_access=", `${cookie}x`])
    expect([forged, (await visit("/", { headers: { cookie: forged } })).status]).toEqual([forged, 401]);

  expect(await set({ password: "another one" })).toEqual({ ok: true });
  await expect.poll(async () => (await visit("/", { headers: { cookie } })).status).toBe(401);
  expect(await set({ password: null })).toEqual({ ok: true });
  await expect.poll(async () => (await visit("/")).text).toBe("the secret page");
  expect((await visit("/")).headers["cache-control"]).toBe("public, max-age=0, must-revalidate");
});

test("a branch has a password of its own, and its versions with it", async () => {
  const { cli, set, visit, enter } = await open();
  const { deploy_url: url = "" } = await cli.publish("folio", files, { branch: "next" });
  const next = "next--folio.localhost:3000";
  await set({ branch: "next", password: "for next" });
  expect((await visit("/")).status).toBe(200);
  expect([(await visit("/", {}, next)).status, (await visit("/", {}, new URL(url).host)).status]).toEqual([401, 401]);
  await set({ password: "for all" });
  expect((await enter("for all", next)).status).toBe(401);
  const { cookie } = await enter("for next", next);
  expect((await visit("/", { headers: { cookie } }, next)).status).toBe(200);
  expect((await visit("/", { headers: { cookie } })).status).toBe(401);
  await set({ branch: "next", password: null });
  expect((await enter("for all", next)).status).toBe(303);
});

test("guessing is limited, and large bodies and other customers get nowhere", async () => {
  const { server, headers, set, visit, enter } = await open();
  await createCustomer(server, "bea@example.com");
  const other = await signIn(server, "bea@example.com");
  await set({ password: "open sesame" });
  expect(await set({ password: null }, other)).toEqual({ error: "error_project_not_found" });
  expect(await set({ password: "x".repeat(129) })).toEqual({ error: "error_site_password" });
  expect(await set({ branch: "../x", password: null })).toEqual({ error: "error_branch_invalid" });
  expect((await visit("/", { form: { password: "x".repeat(5000) } })).status).toBe(429);
  const statuses = [];
  for (let attempt = 0; attempt < 12; attempt++) statuses.push((await enter(`guess ${attempt}`)).status);
  expect(statuses.slice(-2)).toEqual([429, 429]);
  expect((await enter("open sesame")).status).toBe(429);

  const [row] = (await server.db.execute(sql`select hash from site_passwords`)).rows;
  expect(row?.["hash"]).toMatch(/^\$argon2id\$/);
  const state = (await server.app.inject({ url: "/redux", headers })).body;
  expect(state).toContain('"passwords":[""]');
  expect(state).not.toContain("argon2");
  const log = await server.app.inject({ url: "/api/activity", headers });
  expect(log.body).toContain("sitePasswordChanged");
  expect(log.body).not.toContain("sesame");
});
