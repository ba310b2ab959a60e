import type { ActivityPage, CustomerState } from "@nido/contract";
import { createCustomer, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { sql } from "drizzle-orm";
import { describe, expect, test } from "vitest";
import { removeOldActivity } from "../activity/record.ts";

type Headers = Record<string, string>;

async function withProject() {
  const server = await startApp();
  const userId = await createCustomer(server);
  const headers: Headers = {
    ...(await signIn(server)),
    "user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  };
  const id = await addProject(server.db, userId, "panaderialuz", { recipe: "wordpress_pro" });
  return { server, userId, headers, id };
}

async function act({ app }: TestApp, headers: Headers, type: string, payload: unknown) {
  const response = await app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
  return response.statusCode === 200 ? "done" : response.json().error;
}

async function read({ app }: TestApp, headers: Headers, query = ""): Promise<ActivityPage> {
  const response = await app.inject({ url: `/api/activity${query}`, headers });
  expect(response.statusCode).toBe(200);
  return response.json();
}

async function stateOf({ app }: TestApp, headers: Headers): Promise<CustomerState> {
  return (await app.inject({ url: "/redux", headers })).json();
}

async function latest(server: TestApp, headers: Headers) {
  const [entry] = (await read(server, headers)).entries;
  if (!entry) throw new Error("The activity log is empty");
  return entry;
}

test("every change is recorded with who made it and from where, and announced by the state", async () => {
  const { server, headers, id } = await withProject();
  const changes: [string, object, object][] = [
    ["UPDATE_USER_PHONE", { phone: "600 123 123" }, { kind: "detailsChanged", params: { what: "phone" } }],
    ["SET_HSTS", { project_id: id, enabled: true }, { kind: "hstsChanged", project_id: id }],
    [
      "NEW_DOMAIN",
      { project_id: id, domain: "www.example.com" },
      { kind: "domainAdded", params: { project: "panaderialuz", domain: "www.example.com" } },
    ],
  ];
  for (const [type, payload, entry] of changes) {
    expect(await act(server, headers, type, payload)).toBe("done");
    const newest = await latest(server, headers);
    expect(newest).toMatchObject({ ...entry, actor: { kind: "session", place: "127.0.0.*" } });
    expect((await stateOf(server, headers)).activity).toBe(newest.id);
  }
  const { activity } = await stateOf(server, headers);
  expect(await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" })).toBe(
    "error_domain_duplicate",
  );
  expect((await stateOf(server, headers)).activity).toBe(activity);
});

test("the log is read by page, for one project or all, and never another customer's", async () => {
  const { server, userId, headers, id } = await withProject();
  for (let i = 0; i < 70; i++)
    await server.db.execute(sql`insert into activity (user_id, project_id, kind, params, actor) values (${userId},
      ${i % 2 ? id : null}, 'siteReady', '{"project":"panaderialuz"}', '{"kind":"platform","name":"","place":""}')`);
  const ids: number[] = [];
  let page = await read(server, headers);
  for (; page.next; page = await read(server, headers, `?before=${page.next}`))
    ids.push(...page.entries.map((e) => e.id));
  ids.push(...page.entries.map((entry) => entry.id));
  expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => b - a));
  expect(ids.length).toBeGreaterThanOrEqual(70);
  const { entries } = await read(server, headers, `?project=${id}`);
  expect(new Set(entries.map((entry) => entry.project_id))).toEqual(new Set([id]));

  await createCustomer(server, "bea@example.com");
  const other = await signIn(server, "bea@example.com");
  expect((await read(server, other, `?project=${id}`)).entries).toEqual([]);
  expect((await read(server, other)).entries.map(({ kind }) => kind)).toEqual(["signedIn"]);
  expect(await act(server, other, "UNDO", { activity_id: ids[0] })).toBe("error_not_found");
  for (const query of ["?before=0", "?before=x", "?project=nonsense"])
    expect((await server.app.inject({ url: `/api/activity${query}`, headers })).statusCode).toBe(400);
  expect((await server.app.inject({ url: "/api/activity", headers: { host: "localhost:3000" } })).statusCode).toBe(401);
});

test("entries cannot be changed; old ones are removed", async () => {
  const { server, headers } = await withProject();
  await expect(server.db.execute(sql`update activity set kind = 'siteReady'`)).rejects.toThrow();
  await server.db.execute(sql`insert into activity (user_id, kind, params, actor, created_at)
    select id, 'siteReady', '{}', '{}', now() - interval '401 days' from users`);
  expect((await read(server, headers)).entries).toHaveLength(2);
  await removeOldActivity(server.db);
  expect((await read(server, headers)).entries.map(({ kind }) => kind)).toEqual(["signedIn"]);
});

describe("undo", () => {
  test("brings a removed domain back, once, and only while nobody else has it", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const [domainId = ""] = Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {}).filter(
      (key) => key !== "controlled",
    );
    await act(server, headers, "DELETE_DOMAIN", { project_id: id, domain_id: domainId });
    const removal = await latest(server, headers);
    expect(removal).toMatchObject({ kind: "domainRemoved", undo: "free", is_undone: false });

    const answers = await Promise.all(
      Array.from({ length: 10 }, () => act(server, headers, "UNDO", { activity_id: removal.id })),
    );
    expect(answers.toSorted()).toEqual(["done", ...Array(9).fill("error_undo_stale")]);
    const domains = Object.values((await stateOf(server, headers)).projects[id]?.domains ?? {});
    expect(domains.map(({ domain, status }) => [domain, status])).toContainEqual(["www.example.com", "pending"]);
    const { entries } = await read(server, headers);
    expect(entries[0]).toMatchObject({ kind: "domainAdded", actor: { kind: "session" } });
    expect(entries.find((entry) => entry.id === removal.id)).toMatchObject({ is_undone: true });
    expect(entries.find((entry) => entry.id === removal.id)?.undo).toBeUndefined();
  });

  test("brings the earlier primary domain back, unless it was changed again", async () => {
    const { server, headers, id } = await withProject();
    for (const host of ["one.example.com", "two.example.com"])
      await server.db.execute(
        sql`insert into domains (project_id, name, domain, status) values (${id}, ${host}, ${host}, 'verified')`,
      );
    const domains = Object.entries((await stateOf(server, headers)).projects[id]?.domains ?? {});
    const idOf = (host: string) => domains.find(([, { domain }]) => domain === host)?.[0];
    const primary = async () =>
      Object.values((await stateOf(server, headers)).projects[id]?.domains ?? {}).find((domain) => domain.primary)
        ?.domain;
    const choose = (host: string) =>
      act(server, headers, "SET_PRIMARY_DOMAIN", { project_id: id, domain_id: idOf(host) });

    await choose("one.example.com");
    const first = await latest(server, headers);
    await choose("two.example.com");
    expect(await act(server, headers, "UNDO", { activity_id: first.id })).toBe("error_undo_stale");
    expect(await act(server, headers, "UNDO", { activity_id: (await latest(server, headers)).id })).toBe("done");
    expect(await primary()).toBe("one.example.com");
  });

  test("shows the deploy again that a roll-back replaced, unless something was published since", async () => {
    const { server, cli } = await openPublisher(createCustomer);
    const headers = await signIn(server);
    const [one, two] = [
      await cli.publish("folio", { "index.html": "1" }),
      await cli.publish("folio", { "index.html": "2" }),
    ];
    const shown = async () => Object.values((await stateOf(server, headers)).projects)[0]?.branches?.["main"]?.deploy;
    await cli.call("POST", "/projects/folio/rollback", { deploy: one.id });
    const first = await latest(server, headers);
    expect(first).toMatchObject({ kind: "rolledBack", undo: "free", actor: { kind: "token", name: "test" } });
    expect(await act(server, headers, "UNDO", { activity_id: first.id })).toBe("done");
    expect(await shown()).toBe(two.id);

    await cli.call("POST", "/projects/folio/rollback", { deploy: one.id });
    const second = await latest(server, headers);
    const three = await cli.publish("folio", { "index.html": "3" });
    expect(await act(server, headers, "UNDO", { activity_id: second.id })).toBe("error_undo_stale");
    expect(await shown()).toBe(three.id);
  });

  test("takes back a promotion, and brings back a deleted branch with its history", async () => {
    const { server, cli } = await openPublisher(createCustomer);
    const headers = await signIn(server);
    const publish = (text: string, branch = "main") => cli.publish("folio", { "index.html": text }, { branch });
    const [one, first, second] = [await publish("1"), await publish("2", "next"), await publish("3", "next")];
    const project = async () => Object.values((await stateOf(server, headers)).projects)[0];
    const { id = "" } = (await project()) ?? {};

    expect(await act(server, headers, "PROMOTE", { project_id: id, deploy_id: first.id })).toBe("done");
    expect(await latest(server, headers)).toMatchObject({ kind: "promoted", undo: "free" });
    expect((await project())?.branches?.["main"]?.deploy).toBe(first.id);
    expect(await act(server, headers, "UNDO", { activity_id: (await latest(server, headers)).id })).toBe("done");
    expect((await project())?.branches?.["main"]?.deploy).toBe(one.id);
    // That, too, is undone, and again, although the promoted deploy is of another branch.
    for (const shown of [first.id, one.id]) {
      expect(await act(server, headers, "UNDO", { activity_id: (await latest(server, headers)).id })).toBe("done");
      expect((await project())?.branches?.["main"]?.deploy).toBe(shown);
    }

    expect(await act(server, headers, "DELETE_BRANCH", { project_id: id, branch: "next" })).toBe("done");
    const removal = await latest(server, headers);
    expect(removal).toMatchObject({ kind: "branchRemoved", params: { branch: "next" }, undo: "free" });
    expect((await project())?.branches).not.toHaveProperty("next");
    expect(await act(server, headers, "UNDO", { activity_id: removal.id })).toBe("done");
    expect((await project())?.branches?.["next"]).toMatchObject({ deploy: second.id, previous: first.id });
    expect(await act(server, headers, "UNDO", { activity_id: removal.id })).toBe("error_undo_stale");
  });

  test("answers for what cannot be undone, and for nonsense", async () => {
    const { server, headers } = await withProject();
    const { id } = await latest(server, headers);
    expect(await act(server, headers, "UNDO", { activity_id: id })).toBe("error_not_found");
    for (const nonsense of [0, -1, 1.5, "1", 1e300, null])
      expect(await act(server, headers, "UNDO", { activity_id: nonsense })).toBe("error_invalid_input");
  });
});
