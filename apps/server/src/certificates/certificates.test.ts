import { randomBytes } from "node:crypto";
import { connect as connectTls } from "node:tls";
import { insertUser } from "@nido/server/account/queries";
import { connect } from "@nido/server/db/connect";
import { insertDomain } from "@nido/server/domains/queries";
import { startHttpsProduct, whyNoAuthority } from "@nido/test-kit/httpsProduct";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { addProject } from "@nido/test-kit/seed";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const whyNot = whyNoNameServer ?? whyNoAuthority;
const isLong = process.env["NIDO_TEST_CERTIFICATES"] !== undefined;
const atOnce = Number(process.env["NIDO_TEST_CERTIFICATES"] ?? 12);
if (!isLong) console.log("Skipped: renewals, because they take a minute: npm run test:long");
/** Less than what one customer may order a day. */
const domainsOfOne = 15;
let names: NameServer;

/** Whether a TLS handshake with this server name (SNI) succeeds. */
function shakeHands(port: number, servername: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connectTls({ host: "127.0.0.1", port, servername, rejectUnauthorized: false });
    socket.once("error", () => resolve(false)).once("close", () => resolve(false));
    socket.once("secureConnect", () => {
      resolve(true);
      socket.destroy();
    });
  });
}

async function startProduct(options: Partial<Parameters<typeof startHttpsProduct>[0]> = {}) {
  const product = await startHttpsProduct({ names, ...options });
  const db = connect(product.databaseUrl);
  onTestFinished(async () => {
    await db.$client.end();
    await product.stop();
  });
  const run = (job: string, queue: string) =>
    db.execute(
      sql`select graphile_worker.add_job(${job}::text, '{}', queue_name := ${queue}::text, job_key := ${job}::text)`,
    );
  return {
    ...product,
    db,
    plan: () => run("planCertificates", "certificates"),
    /** Adds domains whose records are right, and has them verified. */
    addDomains: async (...domains: string[]) => {
      for (let first = 0; first < domains.length; first += domainsOfOne) {
        const folio = `folio${randomBytes(4).toString("hex")}`;
        const userId = (await insertUser(db, { email: `${folio}@example.com`, givenName: "Ana" })) as string;
        const projectId = await addProject(db, userId, folio, { recipe: "static_starter" });
        for (const domain of domains.slice(first, first + domainsOfOne)) {
          await names.set(domain, "CNAME", `${folio}.sites.localhost.`);
          await db.transaction((tx) => insertDomain(tx, { projectId, name: domain, domain }));
        }
      }
      await run("checkDomains", "domains");
    },
    rowOf: async (name: string) => {
      const { rows } = await db.execute(sql`select * from certificates where name = ${name}`);
      return rows[0];
    },
    countOrders: async (status: string) => {
      const { rows } = await db.execute(
        sql`select count(*)::int count from certificate_orders where status = ${status}`,
      );
      return Number(rows[0]?.["count"]);
    },
  };
}

describe.skipIf(whyNot)(`certificates of a real authority${whyNot ? `: ${whyNot}` : ""}`, () => {
  beforeAll(async () => {
    names = await startNameServer(["example.com", "localhost"]);
    await names.set("localhost", "A", "127.0.0.1");
    await names.set("*.sites.localhost", "A", "127.0.0.1");
  });
  afterAll(() => names?.stop());

  test("a verified domain gets a certificate, plain HTTP redirects to HTTPS, and a removed domain is not served any more", async () => {
    const product = await startProduct();
    await product.plan();
    await product.addDomains("www.example.com");
    await eventually(async () => expect(await shakeHands(product.httpsPort, "www.example.com")).toBe(true));
    expect(await product.get("www.example.com")).toMatchObject({ names: "DNS:www.example.com" });
    const plain = await ask(`127.0.0.1:${product.httpPort}`, "www.example.com", "/a?b=1");
    expect([plain.status, plain.headers["location"]]).toEqual([
      308,
      `https://www.example.com:${product.httpsPort}/a?b=1`,
    ]);
    await eventually(async () => expect(await shakeHands(product.httpsPort, "localhost")).toBe(true));
    expect(await product.rowOf("www.example.com")).toMatchObject({ problem: null, failures: 0 });

    await product.db.execute(sql`with gone as (delete from domains where domain = 'www.example.com' returning project_id)
      select pg_notify('nido_state', user_id || ' 0') from projects join gone on gone.project_id = projects.id`);
    await eventually(async () => expect(await shakeHands(product.httpsPort, "www.example.com")).toBe(false));
    expect((await ask(`127.0.0.1:${product.httpPort}`, "www.example.com", "/")).status).toBe(404);
  });

  test("names below SITES_DOMAIN share a wildcard certificate, proved by a DNS record", async () => {
    const product = await startProduct({ settings: { DNS_CHALLENGE_NSUPDATE: names.update } });
    await product.plan();
    await eventually(async () => expect(await shakeHands(product.httpsPort, "anything.sites.localhost")).toBe(true));
    const page = await product.get("anything.sites.localhost");
    expect(page).toMatchObject({ status: 404, names: "DNS:*.sites.localhost" });
    expect(await shakeHands(product.httpsPort, "two.labels.sites.localhost")).toBe(false);
  });

  test(`${atOnce} domains verified at once get ${atOnce} certificates, although nonces are refused and the product is killed`, async () => {
    const product = await startProduct({ authority: { refusedNonces: 20 } });
    const domains = Array.from({ length: atOnce }, (_, index) => `n${index}.example.com`);
    await product.addDomains(...domains);
    const countServed = async () => {
      const { rows } = await product.db.execute(
        sql`select count(*)::int count from certificates where chain is not null`,
      );
      return Number(rows[0]?.["count"]);
    };
    for (const delay of [300, 900, 1500]) {
      await new Promise((resolve) => setTimeout(resolve, delay));
      await product.kill();
      await product.restart();
    }
    await eventually(async () => {
      // An order fails if the authority checks a name while the product is down. The next attempt need not wait here.
      await product.db.execute(sql`update certificates set due_at = now() where chain is null`);
      await product.plan();
      expect(await countServed()).toBe(atOnce + 1); // and the dashboard's
    });
    for (const domain of domains) expect(await shakeHands(product.httpsPort, domain)).toBe(true);
    expect(await product.countOrders("open")).toBe(0);
    expect(await product.countOrders("valid")).toBe(atOnce + 1);
    // The authority has no order that we do not know of.
    expect(product.acme.countOrders()).toBe(atOnce + 1 + (await product.countOrders("failed")));
  });

  test("while the authority is unavailable, certificates stay in use, and orders for new names are retried", async () => {
    const product = await startProduct();
    await product.addDomains("first.example.com");
    await eventually(async () => expect(await shakeHands(product.httpsPort, "first.example.com")).toBe(true));
    await product.acme.stop();
    await product.addDomains("second.example.com");
    await eventually(async () =>
      expect(await product.rowOf("second.example.com")).toMatchObject({ problem: "error_certificate_authority" }),
    );
    await product.db.execute(sql`update certificates set due_at = now()`);
    await product.plan();
    await eventually(async () => expect(await product.rowOf("first.example.com")).toMatchObject({ failures: 1 }));
    expect(await shakeHands(product.httpsPort, "first.example.com")).toBe(true);
    expect(await shakeHands(product.httpsPort, "second.example.com")).toBe(false);
    // A site without a certificate is served over plain HTTP.
    expect((await ask(`127.0.0.1:${product.httpPort}`, "second.example.com", "/")).status).not.toBe(308);
  });

  test.skipIf(!isLong)("certificates are renewed before they expire, and no request fails meanwhile", async () => {
    const product = await startProduct({ authority: { certificateSeconds: 45 } });
    await product.addDomains("short.example.com");
    await eventually(async () => expect(await shakeHands(product.httpsPort, "short.example.com")).toBe(true));
    const serials = new Set<string>();
    await eventually(
      async () => {
        await product.plan();
        // Throws if the certificate has expired.
        serials.add((await product.get("short.example.com")).serial);
        expect(serials.size).toBeGreaterThanOrEqual(3);
      },
      { intervalMs: 200 },
    );
    expect(await product.countOrders("failed")).toBe(0);
  });

  test("handshakes for a thousand unknown names order nothing, and those for known names still succeed", async () => {
    const product = await startProduct();
    await product.plan();
    await eventually(async () => expect(await shakeHands(product.httpsPort, "localhost")).toBe(true));
    const before = product.acme.countOrders();
    for (let batch = 0; batch < 10; batch++) {
      const unknown = Array.from({ length: 100 }, (_, index) => `x${batch}-${index}.example.com`);
      const results = await Promise.all(unknown.map((name) => shakeHands(product.httpsPort, name)));
      expect(results).not.toContain(true);
    }
    expect(await shakeHands(product.httpsPort, "localhost")).toBe(true);
    expect(product.acme.countOrders()).toBe(before);
  });
});
