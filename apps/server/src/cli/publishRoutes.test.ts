import { type DeployPlan, filesMediaType, reportDigest, reportFrame, type SiteReport } from "@nido/contract";
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

// The first file travels in memory, the second is streamed to the store.
test.each([10, 10_000_000])(
  "what was noticed is kept with the deploy, for its owner, beside %i bytes",
  async (size) => {
    const { server, cli } = await openPublisher(createCustomer);
    await createCustomer(server, "bea@example.com");
    const [own, other] = [await signIn(server), await signIn(server, "bea@example.com")];
    const find = async (id = "", headers = own) =>
      (await server.app.inject({ url: `/api/publish/deploys/${id}/report`, headers })).json();
    const link = { kind: "link", count: 3, items: [{ file: "index.html", text: "/gone" }] };
    const report = { findings: [link, { kind: "rule", reason: "status", count: 2, items: [] }], bytes: { page: 12 } };
    const empty = { findings: [], bytes: {} };
    const publish = async (noticed: object, content: string) => {
      const { body: plan } = await cli.plan("folio", { "index.html": content });
      const finish = `/deploys/${plan.id}/finish`;
      const body = Buffer.concat([reportFrame(noticed as SiteReport), framed([content])]);
      expect((await cli.call("POST", finish, body)).status).toBe(200);
      // A repeated request changes nothing.
      expect((await cli.call("POST", finish, Buffer.from(reportFrame(empty)))).status).toBe(200);
      return plan.id;
    };
    const id = await publish(report, "a".repeat(size));
    expect(await find(id)).toEqual(report);
    expect(await find(id, other)).toEqual({ error: "error_deploy_not_found" });
    const state = (await server.app.inject({ url: "/redux", headers: own })).json();
    const [project] = Object.values<{ deploys: Record<string, unknown> }>(state.projects);
    expect(project?.deploys[id ?? ""]).toMatchObject({ findings: 5 });
    const early = await cli.call("PUT", `/deploys/${id}/files`, Buffer.from(reportFrame(empty)));
    expect(early.body).toEqual({ error: "error_invalid_input" });
  },
);

test("a site is published even if its report cannot be read", async () => {
  const { server, cli } = await openPublisher(createCustomer);
  const own = await signIn(server);
  const link = { kind: "link", count: 3, items: [{ file: "index.html" }] };
  const empty = { findings: [], bytes: {} };
  for (const wrong of [
    { ...empty, more: 1 },
    { ...empty, bytes: { page: -1 } },
    { ...empty, findings: [{ ...link, kind: "x" }] },
    { ...empty, findings: [{ ...link, items: [{ file: "a\0b" }] }] },
    { ...empty, findings: [{ ...link, items: [{ file: "\ud800" }] }] },
    { ...empty, findings: [{ ...link, items: Array(21).fill({ file: "a" }) }] },
    "no report",
  ]) {
    const { body: plan } = await cli.plan("folio", files);
    if (plan.missing.length > 0) await cli.call("PUT", `/deploys/${plan.id}/files`, framed(Object.values(files)));
    const body = Buffer.from(reportFrame(wrong as SiteReport));
    expect((await cli.call("POST", `/deploys/${plan.id}/finish`, body)).status).toBe(200);
    const url = `/api/publish/deploys/${plan.id}/report`;
    expect((await server.app.inject({ url, headers: own })).json()).toEqual(empty);
  }
  const { body: plan } = await cli.plan("folio", files);
  const large = framed(["x".repeat(2 ** 19 + 1)], () => reportDigest);
  expect(await cli.call("POST", `/deploys/${plan.id}/finish`, large)).toMatchObject({ status: 422 });
});
