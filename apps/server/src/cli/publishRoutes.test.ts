import type { DeployPlan } from "@nido/contract";
import { filesMediaType } from "@nido/contract";
import { createCustomer, origin, signIn } from "@nido/test-kit/app";
import { announced, framed, openPublisher } from "@nido/test-kit/publish";
import { ask } from "@nido/test-kit/sites";
import { expect, test } from "vitest";

const files = { "index.html": "<h1>uno</h1>", "a.css": "a{}" };

test("the dashboard publishes with its session: planned, sent, finished, with its author and changes", async () => {
  const { server, cli, address } = await openPublisher(createCustomer);
  await cli.publish("folio", { "index.html": "<h1>cero</h1>", "old.txt": "x" });
  const headers = {
    ...(await signIn(server)),
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  const post = (path: string, payload: object) =>
    server.app.inject({ method: "POST", url: `/api/publish${path}`, headers, payload });
  const dry = await post("/projects/folio/deploys", {
    key: crypto.randomUUID(),
    files: announced(files),
    dry_run: true,
  });
  expect(dry.json()).toMatchObject({ added: ["a.css"], changed: ["index.html"], removed: ["old.txt"] });

  const plan = await post("/projects/folio/deploys", { key: crypto.randomUUID(), files: announced(files) });
  const { id, missing } = plan.json<DeployPlan>();
  expect(missing).toHaveLength(2);
  const sent = await server.app.inject({
    method: "PUT",
    url: `/api/publish/deploys/${id}/files`,
    headers: { ...headers, "content-type": filesMediaType },
    payload: framed(Object.values(files)),
  });
  expect(sent.statusCode, sent.body).toBe(200);
  expect(
    (await server.app.inject({ method: "POST", url: `/api/publish/deploys/${id}/finish`, headers })).statusCode,
  ).toBe(200);
  expect((await ask(address, "folio.localhost:3000", "/")).text).toBe("<h1>uno</h1>");
  const state = (await server.app.inject({ url: "/redux", headers })).json();
  const [project] = Object.values<{ deploys: Record<string, unknown> }>(state.projects);
  expect(project?.deploys[id as string]).toMatchObject({ changes: { added: 1, changed: 1, removed: 1 } });
});

test("without a session, from another origin, or for another's project nothing is read or published", async () => {
  const { server, cli } = await openPublisher(createCustomer);
  await cli.publish("folio", files);
  await createCustomer(server, "bea@example.com");
  const own = await signIn(server);
  const other = await signIn(server, "bea@example.com");
  const payload = { key: crypto.randomUUID(), files: announced(files) };
  const plan = (headers: Record<string, string>) =>
    server.app.inject({ method: "POST", url: "/api/publish/projects/folio/deploys", headers, payload });
  expect((await plan({ host: "localhost:3000", origin })).json()).toEqual({ error: "error_signed_out" });
  for (const foreign of [{ origin: "https://evil.example" }, { origin: "http://folio.localhost:3000" }])
    expect((await plan({ ...own, ...foreign })).json()).toEqual({ error: "error_foreign_origin" });
  expect((await plan({ ...own, "sec-fetch-site": "same-site" })).json()).toEqual({ error: "error_foreign_origin" });
  expect((await plan(other)).json()).toEqual({ error: "error_project_not_found" });
  const { id } = (await plan(own)).json<DeployPlan>();
  const finish = await server.app.inject({ method: "POST", url: `/api/publish/deploys/${id}/finish`, headers: other });
  expect(finish.json()).toEqual({ error: "error_deploy_not_found" });
  // The CLI's own API still ignores cookies.
  expect((await server.app.inject({ url: "/api/cli/projects", headers: own })).statusCode).toBe(401);
});

test("what was noticed is kept with the deploy, once, for its owner", async () => {
  const { server, cli } = await openPublisher(createCustomer);
  const { id } = await cli.publish("folio", files);
  await createCustomer(server, "bea@example.com");
  const [own, other] = [await signIn(server), await signIn(server, "bea@example.com")];
  const url = `/api/publish/deploys/${id}/report`;
  const put = async (payload: object, headers = own) =>
    (await server.app.inject({ method: "PUT", url, headers, payload })).json();
  const get = async (headers = own) => (await server.app.inject({ url, headers })).json();
  const link = { kind: "link", count: 3, items: [{ file: "index.html", text: "/gone" }] };
  const report = { findings: [link, { kind: "rule", reason: "status", count: 2, items: [] }], bytes: { page: 12 } };
  expect(await get()).toEqual({ findings: [], bytes: {} });
  expect(await put(report, other)).toEqual({ error: "error_deploy_not_found" });
  for (const wrong of [
    { ...report, more: 1 },
    { ...report, bytes: { page: -1 } },
    { ...report, findings: [{ ...link, kind: "x" }] },
    { ...report, findings: [{ ...link, items: [{ file: "a\0b" }] }] },
    { ...report, findings: [{ ...link, items: [{ file: "\ud800" }] }] },
    { ...report, findings: [{ ...link, items: Array(21).fill({ file: "a" }) }] },
  ])
    expect(await put(wrong)).toEqual({ error: "error_invalid_input" });
  expect(await put(report)).toEqual({ ok: true });
  expect(await put({ findings: [], bytes: {} })).toEqual({ ok: true });
  expect(await get()).toEqual(report);
  expect(await get(other)).toEqual({ error: "error_deploy_not_found" });
  const state = (await server.app.inject({ url: "/redux", headers: own })).json();
  const [project] = Object.values<{ deploys: Record<string, unknown> }>(state.projects);
  expect(project?.deploys[id]).toMatchObject({ findings: 5 });
});
