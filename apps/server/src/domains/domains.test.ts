import { createSocket } from "node:dgram";
import { once } from "node:events";
import type { CustomerState, Domain } from "@nido/contract";
import { createCustomer, listen, signIn, startApp, type TestApp } from "@nido/test-kit/app";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { readOutbox } from "@nido/test-kit/outbox";
import { cliOf, giveToken } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkDomains } from "./checkDomains.ts";

type Headers = Record<string, string>;

const here = "203.0.113.7";
const whole = { SITES_DOMAIN: "sites.example.net", SITES_ADDRESSES: `${here},2001:db8:0:0::7` };

function act({ app }: TestApp, headers: Headers, type: string, payload: unknown) {
  return app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
}

async function stateOf({ app }: TestApp, headers: Headers): Promise<CustomerState> {
  return (await app.inject({ url: "/redux", headers })).json();
}

async function withProject(env: Record<string, string> = {}) {
  const server = await startApp({ env: { ...whole, ...env } });
  return { server, ...(await withCustomer(server, "ana@example.com", "panaderialuz")) };
}

async function withCustomer(server: TestApp, email: string, project: string) {
  const userId = await createCustomer(server, email);
  const headers = await signIn(server, email);
  const id = await addProject(server.db, userId, project, { recipe: "static_starter" });
  const domainsOf = async () =>
    Object.entries((await stateOf(server, headers)).projects[id]?.domains ?? {}).filter(
      ([key]) => key !== "controlled",
    );
  return {
    userId,
    headers,
    id,
    add: (domain: string, more = {}) => act(server, headers, "NEW_DOMAIN", { project_id: id, domain, ...more }),
    /** The domains that the customer added. */
    domains: async () => (await domainsOf()).map(([, domain]) => domain),
    /** The first domain that the customer added. */
    domain: async () => (await domainsOf())[0]?.[1] as Domain,
    remove: async () =>
      act(server, headers, "DELETE_DOMAIN", { project_id: id, domain_id: (await domainsOf())[0]?.[0] }),
  };
}
type Customer = Awaited<ReturnType<typeof withCustomer>>;

/** Checks all domains now, due or not. */
async function check(server: TestApp) {
  await server.db.execute(sql`update domains set next_check_at = now()`);
  await checkDomains(server.domains);
  // NOTIFY would do the same a moment later.
  server.live.states.forgetAll();
}

const proofOf = async ({ domain }: Customer) =>
  (await domain()).expected?.find(({ type }) => type === "TXT")?.value ?? "";

describe("NEW_DOMAIN", () => {
  test("adds the normalised host as pending, shows it as typed, and lists the expected DNS records", async () => {
    const { add, domain } = await withProject();
    expect((await add(" https://Www.Peña.com/x ")).statusCode).toBe(200);
    expect(await domain()).toEqual({
      name: "Www.Peña.com",
      domain: "www.xn--pea-8ma.com",
      controlled: false,
      branch: "main",
      status: "pending",
      expected: [{ type: "CNAME", name: "www.xn--pea-8ma.com", host: "www", value: "panaderialuz.sites.example.net" }],
      seen: [],
    });
  });

  test("expects A, AAAA and TXT records for a registrable domain, which cannot have a CNAME", async () => {
    const { add, domain } = await withProject();
    await add("example.co.uk");
    expect((await domain()).expected).toEqual([
      { type: "A", name: "example.co.uk", host: "@", value: here },
      { type: "AAAA", name: "example.co.uk", host: "@", value: "2001:db8::7" },
      {
        type: "TXT",
        name: "_nido.example.co.uk",
        host: "_nido",
        value: expect.stringMatching(/^nido-account=[0-9a-f]{32}$/),
      },
    ]);
  });

  test("with_counterpart also adds the name with or without www, as a redirect", async () => {
    const { add, domains } = await withProject();
    await add("example.com", { with_counterpart: true });
    await add("www.example.org", { with_counterpart: true });
    expect((await domains()).map(({ domain, redirects_to }) => [domain, redirects_to])).toEqual([
      ["example.com", undefined],
      ["www.example.com", "example.com"],
      ["www.example.org", undefined],
      ["example.org", "www.example.org"],
    ]);
    expect((await add("blog.example.com", { with_counterpart: true })).json()).toEqual({
      error: "error_domain_invalid",
    });
    expect((await add("www.co.uk", { with_counterpart: true })).json()).toEqual({ error: "error_domain_invalid" });
  });

  test("refuses a duplicate in any spelling, and a name verified by another customer, but not one pending there", async () => {
    const { server, add } = await withProject();
    const other = await withCustomer(server, "bea@example.com", "estudiomarin");
    await add("www.example.com");
    const again = await add("https://WWW.example.com./path");
    expect([again.statusCode, again.json()]).toEqual([409, { error: "error_domain_duplicate" }]);
    expect((await other.add("www.example.com")).statusCode).toBe(200);
    await server.db.execute(
      sql`update domains set status = 'verified' where domain = 'www.example.com' and project_id = ${other.id}`,
    );
    const third = await withCustomer(server, "cas@example.com", "tercero");
    expect((await third.add("www.example.com")).json()).toEqual({ error: "error_domain_duplicate" });
  });

  test("refuses the 51st domain of a project", async () => {
    const { server, headers, id } = await withProject();
    await server.db.execute(sql`
      insert into domains (project_id, name, domain) select ${id}, n || '.example.com', n || '.example.com' from generate_series(1, 50) n`);
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "one.more.example.com" });
    expect([response.statusCode, response.json()]).toEqual([409, { error: "error_domain_limit" }]);
  });

  test("answers 404 for another customer's project", async () => {
    const { server, id } = await withProject();
    const { headers } = await withCustomer(server, "bea@example.com", "estudiomarin");
    const response = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    expect([response.statusCode, response.json()]).toEqual([404, { error: "error_project_not_found" }]);
  });
});

describe("DELETE_DOMAIN", () => {
  test("removes a domain, which can then be added again", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const domains = Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {});
    const domain_id = domains.find((key) => key !== "controlled");
    expect((await act(server, headers, "DELETE_DOMAIN", { project_id: id, domain_id })).statusCode).toBe(200);
    expect(Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {})).toEqual(["controlled"]);
    const again = await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    expect(again.statusCode).toBe(200);
  });

  test("answers 404 for the controlled domain, an unknown id and another customer's domain", async () => {
    const { server, headers, id } = await withProject();
    await act(server, headers, "NEW_DOMAIN", { project_id: id, domain: "www.example.com" });
    const { rows } = await server.db.execute(sql`select id from domains`);
    const { headers: others } = await withCustomer(server, "bea@example.com", "estudiomarin");
    for (const [who, domain_id] of [
      [headers, "controlled"],
      [headers, crypto.randomUUID()],
      [others, rows[0]?.["id"]],
    ] as const) {
      expect((await act(server, who, "DELETE_DOMAIN", { project_id: id, domain_id })).statusCode).toBe(404);
    }
    expect(Object.keys((await stateOf(server, headers)).projects[id]?.domains ?? {})).toHaveLength(2);
  });
});

describe.skipIf(whyNoNameServer)(`with a name server${whyNoNameServer ? `: ${whyNoNameServer}` : ""}`, () => {
  let names: NameServer;
  beforeAll(async () => {
    names = await startNameServer(["example.com", "example.org", "sites.example.net"]);
    await names.set("*.sites.example.net", "A", here);
  });
  afterAll(() => names.stop());
  const open = () => withProject({ DNS_SERVERS: names.address });
  const publish = async (server: TestApp, { userId }: Customer, project: string, text: string) => {
    const address = await listen(server);
    await cliOf(address, await giveToken(server, userId)).publish(project, { "index.html": text });
    return (host: string, path = "/") => ask(address, host, path);
  };

  test("a domain with a CNAME to its project's host is verified and served, until it is deleted", async () => {
    const { server, ...ana } = await open();
    const visit = await publish(server, ana, "panaderialuz", "pan");
    await ana.add("one.example.com");
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending", reason: "error_domain_not_configured", seen: [] });
    expect((await visit("one.example.com")).status).toBe(404);

    await names.set("one.example.com", "CNAME", "PanaderiaLuz.sites.example.net.");
    await check(server);
    expect(await ana.domain()).toMatchObject({
      status: "verified",
      seen: [
        { type: "CNAME", name: "one.example.com", value: "panaderialuz.sites.example.net" },
        { type: "A", name: "one.example.com", value: here },
      ],
    });
    expect((await ana.domain()).reason).toBeUndefined();
    for (const host of ["one.example.com", "ONE.example.com:443", "panaderialuz.sites.example.net"])
      expect(await visit(host)).toMatchObject({ status: 200, text: "pan" });
    expect((await visit("one.example.com.sites.example.net")).status).toBe(404);

    await ana.remove();
    await expect.poll(async () => (await visit("one.example.com")).status).toBe(404);
  });

  test("an A record proves nothing without the account's TXT record; a foreign A record makes the domain failing", async () => {
    const { server, ...ana } = await open();
    const bea = await withCustomer(server, "bea@example.com", "estudiomarin");
    await ana.add("example.com");
    await bea.add("example.com");
    await names.set("example.com", "A", here);
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending", reason: "error_domain_unproven" });
    await names.set("_nido.example.com", "TXT", "v=spf1 -all", await proofOf(bea));
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending", reason: "error_domain_unproven" });
    expect(await bea.domain()).toMatchObject({ status: "verified" });
    await names.set("example.com", "A", here, "198.51.100.1");
    await check(server);
    expect(await bea.domain()).toMatchObject({ status: "failing", reason: "error_domain_not_configured" });
    await names.set("example.com", "A");
    await names.set("_nido.example.com", "TXT");
  });

  test.each(["127.0.0.1", "169.254.169.254", "10.0.0.1"])("an A record of %s verifies nothing", async (address) => {
    const { server, ...ana } = await open();
    await ana.add("inner.example.com");
    await names.set("inner.example.com", "A", address);
    await check(server);
    expect(await ana.domain()).toMatchObject({
      status: "pending",
      reason: "error_domain_not_configured",
      seen: [{ type: "A", name: "inner.example.com", value: address }],
    });
  });

  test("a CNAME to another project's host is no proof", async () => {
    const { server, ...ana } = await open();
    await ana.add("two.example.com");
    await names.set("two.example.com", "CNAME", "estudiomarin.sites.example.net.");
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending", reason: "error_domain_unproven" });
  });

  test("a domain proven by two accounts is verified for one, and for the other once the first deletes it", async () => {
    const { server, ...ana } = await open();
    const bea = await withCustomer(server, "bea@example.com", "estudiomarin");
    await ana.add("example.org");
    await bea.add("example.org");
    await names.set("example.org", "A", here);
    await names.set("_nido.example.org", "TXT", await proofOf(ana), await proofOf(bea));
    // Concurrent checks may conflict with each other; the next round repeats them.
    for (let round = 0; round < 3; round++) await Promise.allSettled([check(server), check(server), check(server)]);
    const { rows } = await server.db.execute(sql`select status, reason from domains order by status desc`);
    expect(rows).toEqual([
      { status: "verified", reason: null },
      { status: "pending", reason: "error_domain_duplicate" },
    ]);
    const [winner, loser] = (await ana.domain()).status === "verified" ? [ana, bea] : [bea, ana];
    await winner.remove();
    await check(server);
    expect(await loser.domain()).toMatchObject({ status: "verified" });
    const again = await winner.add("example.org");
    expect(again.json()).toEqual({ error: "error_domain_duplicate" });
    await names.set("example.org", "A");
    await names.set("_nido.example.org", "TXT");
  });

  test("a domain whose records change is served for a grace period, then not; another account with proof can take it over", async () => {
    const { server, ...ana } = await open();
    const bea = await withCustomer(server, "bea@example.com", "estudiomarin");
    const visit = await publish(server, ana, "panaderialuz", "pan");
    await ana.add("moved.example.com");
    await names.set("moved.example.com", "CNAME", "panaderialuz.sites.example.net.");
    await check(server);
    await names.set("moved.example.com", "CNAME", "elsewhere.example.com.");
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "failing", reason: "error_domain_not_configured" });
    expect((await visit("moved.example.com")).text).toBe("pan");
    await server.db.execute(sql`update domains set verified_at = now() - interval '73 hours'`);
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending" });
    expect((await visit("moved.example.com")).status).toBe(404);
    const told = await readOutbox(server);
    expect(told.map(({ template }) => template)).toEqual(["domainVerified", "domainFailing"]);
    const record = { type: "CNAME", name: "moved.example.com", value: "panaderialuz.sites.example.net" };
    expect(told[1]?.params["records"]).toContainEqual(expect.objectContaining(record));
    const { rows } = await server.db.execute(sql`select kind from activity where kind like 'domain%' order by id`);
    expect(rows.map(({ kind }) => kind)).toEqual(["domainAdded", "domainVerified", "domainFailing", "domainLost"]);

    await names.set("moved.example.com", "CNAME", "panaderialuz.sites.example.net.");
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "verified" });
    await names.set("moved.example.com", "CNAME", "estudiomarin.sites.example.net.");
    // The refused attempt schedules a check of the current holder.
    expect((await bea.add("moved.example.com")).json()).toEqual({ error: "error_domain_duplicate" });
    await checkDomains(server.domains);
    expect((await bea.add("moved.example.com")).statusCode).toBe(200);
    await names.set("_nido.moved.example.com", "TXT", await proofOf(bea));
    await check(server);
    expect(await ana.domain()).toMatchObject({ status: "pending" });
    expect(await bea.domain()).toMatchObject({ status: "verified" });
  });

  test("a leftover CNAME is no proof for the next owner of the project's name", async () => {
    const { server, ...ana } = await open();
    await ana.add("left.example.com");
    await names.set("left.example.com", "CNAME", "panaderialuz.sites.example.net.");
    await check(server);
    await ana.remove();
    await server.db.execute(sql`update projects set name = 'anterior' where id = ${ana.id}`);
    const bea = await withCustomer(server, "bea@example.com", "panaderialuz");
    await bea.add("left.example.com");
    await check(server);
    expect(await bea.domain()).toMatchObject({ status: "pending", reason: "error_domain_unproven" });
    await names.set("_nido.left.example.com", "TXT", await proofOf(bea));
    await check(server);
    expect(await bea.domain()).toMatchObject({ status: "verified" });
  });

  test("the counterpart redirects once both names are verified", async () => {
    const { server, ...ana } = await open();
    const visit = await publish(server, ana, "panaderialuz", "pan");
    await ana.add("www.example.org", { with_counterpart: true });
    await names.set("example.org", "A", here);
    await names.set("_nido.example.org", "TXT", await proofOfSecond(ana));
    await check(server);
    expect(await visit("example.org")).toMatchObject({ status: 200 });
    await names.set("www.example.org", "CNAME", "panaderialuz.sites.example.net.");
    await check(server);
    await expect.poll(async () => (await visit("example.org", "/a?b=1")).status).toBe(308);
    const answer = await visit("example.org", "/a?b=1");
    expect(answer.headers["location"]).toBe("http://www.example.org/a?b=1");
    expect((await visit("www.example.org")).text).toBe("pan");
  });

  test("CHECK_DOMAIN makes the customer's own domain due for a check, and is 404 for others", async () => {
    const { server, ...ana } = await open();
    const bea = await withCustomer(server, "bea@example.com", "estudiomarin");
    await ana.add("three.example.com");
    await checkDomains(server.domains);
    const { rows } = await server.db.execute(sql`select id from domains where next_check_at > now()`);
    const own = { project_id: ana.id, domain_id: rows[0]?.["id"] };
    expect((await act(server, bea.headers, "CHECK_DOMAIN", own)).statusCode).toBe(404);
    expect((await act(server, ana.headers, "CHECK_DOMAIN", { ...own, domain_id: "controlled" })).statusCode).toBe(404);
    expect((await act(server, ana.headers, "CHECK_DOMAIN", own)).statusCode).toBe(200);
    const due = await server.db.execute(sql`select 1 from domains where next_check_at <= now()`);
    expect(due.rows).toHaveLength(1);
  });

  test("while DNS is unreachable, silent or malformed, verified domains stay verified and pending ones pending", async () => {
    const { server, ...ana } = await open();
    await ana.add("four.example.com");
    await names.set("four.example.com", "CNAME", "panaderialuz.sites.example.net.");
    await check(server);
    const liar = createSocket("udp4", (message, { port, address }) => liar.send(message.subarray(0, 7), port, address));
    const mute = createSocket("udp4");
    for (const socket of [liar, mute]) {
      socket.bind(0, "127.0.0.1");
      await once(socket, "listening");
      onTestFinished(() => void socket.close());
    }
    await ana.add("five.example.com");
    for (const dnsServer of ["127.0.0.1:9", `127.0.0.1:${liar.address().port}`, `127.0.0.1:${mute.address().port}`]) {
      const other = await startApp({ databaseUrl: server.databaseUrl, env: { ...whole, DNS_SERVERS: dnsServer } });
      await check(other);
      expect((await ana.domains()).map(({ status, reason }) => [status, reason])).toEqual([
        ["verified", undefined],
        ["pending", "error_dns_unreachable"],
      ]);
    }
  });
});

/** The TXT record expected for the second domain, which is the registrable domain itself. */
async function proofOfSecond({ domains }: Customer) {
  return (await domains())[1]?.expected?.find(({ type }) => type === "TXT")?.value ?? "";
}
