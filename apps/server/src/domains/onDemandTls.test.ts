import { connect } from "node:tls";
import { createCustomer } from "@nido/test-kit/app";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { openPublisher } from "@nido/test-kit/publish";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { type Caddy, startCaddy, whyNoCaddy } from "@nido/test-kit/startCaddy";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { checkDomains } from "./checkDomains.ts";

const whyNot = whyNoNameServer ?? whyNoCaddy;
const undos: (() => unknown)[] = [];
let names: NameServer;
let caddy: Caddy;
let publisher: Awaited<ReturnType<typeof openPublisher>>;
const portOf = (address: string) => Number(address.split(":")[1]);

/** Adds a domain to the project and has it verified. */
async function addDomain(domain: string) {
  const { db, domains } = publisher.server;
  await names.set(domain, "CNAME", "folio.sites.example.net.");
  await db.execute(sql`insert into domains (project_id, name, domain)
    select id, ${domain}, ${domain} from projects where name = 'folio'`);
  await checkDomains(domains);
}

/** Whether a TLS handshake with this server name (SNI) succeeds. */
function shakeHands(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
    socket.once("secureConnect", () => resolve(true)).once("error", () => resolve(false));
    socket.once("close", () => resolve(false)).once("secureConnect", () => socket.destroy());
  });
}

describe.skipIf(whyNot)(`behind Caddy, with an ACME server${whyNot ? `: ${whyNot}` : ""}`, () => {
  beforeAll(async () => {
    names = await startNameServer(["example.com", "sites.example.net"]);
    undos.unshift(names.stop);
    await names.set("*.sites.example.net", "A", "127.0.0.1");
    publisher = await openPublisher(createCustomer, {
      env: {
        SITES_DOMAIN: "sites.example.net",
        SITES_CERTIFICATES: "on-demand",
        DNS_SERVERS: names.address,
        TRUSTED_PROXIES: "127.0.0.1",
      },
      whenDone: (undo) => void undos.unshift(undo),
    });
    await publisher.cli.publish("folio", { "index.html": "the folio" });
    caddy = await startCaddy(portOf(publisher.address), names.address);
    undos.unshift(caddy.stop);
  });
  afterAll(async () => {
    for (const undo of undos) await undo();
  });

  test("the controlled host and a customer's domain are served over https with ACME certificates; http redirects there", async () => {
    await addDomain("www.example.com");
    for (const host of ["folio.sites.example.net", "www.example.com"])
      expect(await caddy.get(host)).toMatchObject({ status: 200, text: "the folio", names: `DNS:${host}` });
    const plain = await ask(`127.0.0.1:${caddy.httpPort}`, "www.example.com", "/a?b=1");
    expect([plain.status, plain.headers["location"]]).toEqual([308, "https://www.example.com/a?b=1"]);

    await publisher.server.db.execute(sql`delete from domains where domain = 'www.example.com'`);
    publisher.server.live.directory.forgetAll();
    expect(await caddy.get("www.example.com")).toMatchObject({ status: 404 });
  });

  test("a thousand handshakes with unknown names order no certificate, and a known site keeps answering", async () => {
    await caddy.get("folio.sites.example.net");
    const before = caddy.orders();
    const unknown = Array.from({ length: 1000 }, (_, index) =>
      index % 2 ? `x${index}.example.com` : `x${index}.sites.example.net`,
    );
    const shake = async () => {
      for (let name = unknown.pop(); name; name = unknown.pop())
        expect(await shakeHands(caddy.httpsPort, name)).toBe(false);
    };
    const visit = async () => {
      while (unknown.length > 0) expect((await caddy.get("folio.sites.example.net")).text).toBe("the folio");
    };
    await Promise.all([...Array.from({ length: 20 }, shake), visit()]);
    expect(caddy.orders()).toBe(before);
  });

  test("the on-demand TLS ask endpoint is 200 for served hosts, 404 for others, and 404 for visitors", async () => {
    const allowed = async (domain: string, headers = {}) =>
      (await ask(publisher.address, publisher.address, `/tls/allowed?domain=${domain}`, { headers })).status;
    expect(await allowed("FOLIO.sites.example.net")).toBe(200);
    expect(await allowed("localhost")).toBe(200);
    for (const none of [
      "nobody.sites.example.net",
      "x--folio.sites.example.net",
      "sites.example.net",
      "a.com",
      "127.0.0.1",
      "",
    ])
      expect(await allowed(none)).toBe(404);
    expect(await allowed("a".repeat(300))).toBe(400);
    expect(await allowed("folio.sites.example.net", { "x-forwarded-for": "203.0.113.9" })).toBe(404);
    expect((await caddy.get("folio.sites.example.net", "/tls/allowed?domain=folio.sites.example.net")).status).toBe(
      404,
    );
  });

  test("a wildcard certificate serves all sites and branches, without further orders", async () => {
    const wide = await startCaddy(portOf(publisher.address), names.address);
    onTestFinished(wide.stop);
    await wide.useWildcard("sites.example.net");
    const before = wide.orders();
    await publisher.cli.publish("folio", { "index.html": "a preview" }, { branch: "preview" });
    for (const [host, text] of [
      ["folio.sites.example.net", "the folio"],
      ["preview--folio.sites.example.net", "a preview"],
    ] as const)
      expect(await wide.get(host)).toMatchObject({ text, names: "DNS:*.sites.example.net" });
    expect(wide.orders()).toBe(before);
  });

  test("certificates are renewed", async () => {
    const brief = await startCaddy(portOf(publisher.address), names.address, { certificateSeconds: 15 });
    onTestFinished(brief.stop);
    const { serial } = await brief.get("folio.sites.example.net");
    const current = async () => (await brief.get("folio.sites.example.net")).serial;
    await expect.poll(current, { interval: 1000 }).not.toBe(serial);
  });

  test("without the ACME server, existing certificates are served and only new names wait", async () => {
    await caddy.get("folio.sites.example.net");
    await caddy.stopAuthority();
    await addDomain("late.example.com");
    let isAnswered = false;
    void shakeHands(caddy.httpsPort, "late.example.com").then((isShown) => (isAnswered = isShown));
    for (let visits = 0; visits < 20; visits++)
      expect(await caddy.get("folio.sites.example.net")).toMatchObject({ text: "the folio" });
    expect(isAnswered).toBe(false);
  });
});

test("a customer gets certificates for 20 new names a day; known names and a neighbour's names are still allowed", async () => {
  const env = { SITES_DOMAIN: "sites.example.net", SITES_CERTIFICATES: "on-demand" };
  const { server, address, cli } = await openPublisher(createCustomer, { env });
  const other = await createCustomer(server, "neighbour@example.com");
  await addProject(server.db, other, "neighbour", { recipe: "static_starter" });
  for (let n = 0; n < 19; n++) await cli.publish("folio", { "index.html": "x" }, { branch: `b${n}` });
  const allowed = async (name: string) =>
    (await ask(address, address, `/tls/allowed?domain=${name}.sites.example.net`)).status;
  const names = ["folio", ...Array.from({ length: 19 }, (_, n) => `b${n}--folio`)];
  for (const name of names) expect([name, await allowed(name)]).toEqual([name, 200]);
  await cli.publish("folio", { "index.html": "x" }, { branch: "one-more" });
  expect(await allowed("one-more--folio")).toBe(404);
  expect([await allowed("folio"), await allowed("neighbour")]).toEqual([200, 200]);
  await server.db.execute(sql`update certificate_hosts set granted_at = now() - interval '25 hours'`);
  expect(await allowed("one-more--folio")).toBe(200);
});

test("by default there is a wildcard certificate, and none may be ordered for names below SITES_DOMAIN", async () => {
  const { address } = await openPublisher(createCustomer, { env: { SITES_DOMAIN: "sites.example.net" } });
  const allowed = async (name: string) => (await ask(address, address, `/tls/allowed?domain=${name}`)).status;
  expect([await allowed("folio.sites.example.net"), await allowed("localhost")]).toEqual([404, 200]);
});

test("a static site cannot answer at the path of ACME challenges, by a file or by a rule", async () => {
  const { server, address, cli } = await openPublisher(createCustomer);
  const path = ".well-known/acme-challenge/token";
  const refused = await cli.plan("folio", { [path]: "proof", "index.html": "x" });
  expect(refused.body).toMatchObject({ error: "error_path_invalid", detail: path });
  await cli.publish("folio", {
    "index.html": "home",
    "proof.txt": "proof",
    _redirects: "/.well-known/* /proof.txt 200!",
  });
  const get = (at: string) => ask(address, "folio.localhost:3000", at);
  expect((await get(`/${path}`)).status).toBe(404);
  expect((await get("/.well-known/other")).text).toBe("proof");
  // A deploy from before the path was reserved.
  await server.db.execute(sql`update deploys set files = jsonb_set(files, '{0,0}', ${JSON.stringify(path)}::jsonb)`);
  expect((await get(`/${path}`)).status).toBe(404);
});
