import { once } from "node:events";
import { connect } from "node:http2";
import { Agent, request } from "node:https";
import { buffer } from "node:stream/consumers";
import { connect as connectTls } from "node:tls";
import { whyNoAuthority } from "@nido/test-kit/acmeServer";
import { shakeHands, startProduct } from "@nido/test-kit/certificates";
import { testLong } from "@nido/test-kit/long";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { ask } from "@nido/test-kit/sites";
import { eventually } from "@nido/test-kit/waitUntil";
import { memoryOf } from "@nido/test-kit/webProcesses";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const whyNot = whyNoNameServer ?? whyNoAuthority;
const isLong = process.env["NIDO_TEST_CERTIFICATES"] !== undefined;
const atOnce = Number(process.env["NIDO_TEST_CERTIFICATES"] ?? 12);
if (!isLong) console.log("Skipped: renewals, because they take minutes: npm run test:long");
const unknownNames = isLong ? 40_000 : 2000;
/** The product itself needs half of it. */
const maxHeapMb = 200;
let names: NameServer;

/** Visitors on connections that they keep, over HTTP/1.1 and HTTP/2, and others on a new one for each request. */
function visitAtFullSpeed({ httpsPort, acme, get }: Awaited<ReturnType<typeof startProduct>>, host: string) {
  const answers: Record<string, number> = {};
  let connections = 0;
  let isOver = false;
  const visit = async (ask: () => Promise<unknown>) => {
    while (!isOver) {
      const answer = String(await ask().catch((error) => error));
      answers[answer] = (answers[answer] ?? 0) + 1;
    }
  };
  const agent = new Agent({ keepAlive: true, maxSockets: 4, ca: acme.root });
  const session = connect(`https://${host}`, {
    createConnection: () =>
      connectTls({ host: "127.0.0.1", port: httpsPort, servername: host, ca: acme.root, ALPNProtocols: ["h2"] }),
  });
  const kept = async () => {
    const asked = request({ host: "127.0.0.1", port: httpsPort, servername: host, headers: { host }, agent }).end();
    const [response] = await once(asked, "response");
    await buffer(response);
    return response.statusCode;
  };
  const stream = async () => {
    const asked = session.request({ ":path": "/" });
    const [headers] = await once(asked, "response");
    await buffer(asked);
    return headers[":status"];
  };
  const fresh = async () => {
    connections++;
    return (await get(host)).status;
  };
  const visits = [kept, kept, kept, kept, stream, stream, fresh, fresh].map(visit);
  return {
    stop: async () => {
      isOver = true;
      await Promise.all(visits);
      agent.destroy();
      session.destroy();
      return { answers, connections };
    },
  };
}

describe.skipIf(whyNot)(`certificates of a real authority${whyNot ? `: ${whyNot}` : ""}`, () => {
  beforeAll(async () => {
    names = await startNameServer(["example.com", "localhost", "test"]);
    await names.set("localhost", "A", "127.0.0.1");
    await names.set("*.sites.localhost", "A", "127.0.0.1");
  });
  afterAll(() => names?.stop());

  test("a verified domain gets a certificate, plain HTTP redirects to HTTPS, and a removed domain is not served any more", async () => {
    const product = await startProduct({ names });
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

  test("every process stops serving the certificate of a removed domain", async () => {
    const product = await startProduct({ names, settings: { PROCESSES: "2" } });
    await product.addDomains("gone.example.com");
    const handshakes = () =>
      Promise.all(Array.from({ length: 20 }, () => shakeHands(product.httpsPort, "gone.example.com")));
    await eventually(async () => expect(new Set(await handshakes())).toEqual(new Set([true])));
    await product.db.execute(sql`with gone as (delete from domains where domain = 'gone.example.com' returning project_id)
      select pg_notify('nido_state', user_id || ' 0') from projects join gone on gone.project_id = projects.id`);
    const began = Date.now();
    await eventually(async () => expect(new Set(await handshakes())).toEqual(new Set([false])), { intervalMs: 20 });
    console.log(`A removed domain was refused by both processes after ${Date.now() - began} ms.`);
  });

  test("names below SITES_DOMAIN share a wildcard certificate, proved by a DNS record", async () => {
    const product = await startProduct({ names, settings: { DNS_CHALLENGE_NSUPDATE: names.update } });
    await product.plan();
    await eventually(async () => expect(await shakeHands(product.httpsPort, "anything.sites.localhost")).toBe(true));
    const page = await product.get("anything.sites.localhost");
    expect(page).toMatchObject({ status: 404, names: "DNS:*.sites.localhost" });
    expect(await shakeHands(product.httpsPort, "two.labels.sites.localhost")).toBe(false);
  });

  testLong(
    `${atOnce} domains verified at once get ${atOnce} certificates, although nonces are refused and the product is killed`,
    async () => {
      const product = await startProduct({ names, authority: { refusedNonces: 20 } });
      // Of different registered domains: each of those can have 50 certificates a week.
      const domains = Array.from({ length: atOnce }, (_, index) => `n${index}.test`);
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
    },
  );

  test("while the authority is unavailable, certificates stay in use, and orders for new names are retried", async () => {
    const product = await startProduct({ names });
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

  test.skipIf(!isLong)(
    "certificates are renewed before they expire, and under load no request fails meanwhile",
    async () => {
      const product = await startProduct({ names, authority: { certificateSeconds: 120 } });
      await product.addDomains("short.example.com");
      await eventually(async () => expect(await shakeHands(product.httpsPort, "short.example.com")).toBe(true));
      const load = visitAtFullSpeed(product, "short.example.com");
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
      const { answers, connections } = await load.stop();
      console.log(`${connections} new connections during the renewals, and the answers of all:`, answers);
      expect(Object.keys(answers)).toEqual(["200"]);
      expect(await product.countOrders("failed")).toBe(0);
    },
  );

  testLong(
    `handshakes for ${unknownNames} unknown names order nothing and are not kept in memory; known names still succeed`,
    async () => {
      // What is garbage is collected at the latest when the heap is full, and what is kept ends the process. So the
      // test does not force a collection, which would also hide garbage that the product cannot get rid of in time.
      const product = await startProduct({ names, settings: { NODE_OPTIONS: `--max-old-space-size=${maxHeapMb}` } });
      await product.plan();
      await eventually(async () => expect(await shakeHands(product.httpsPort, "localhost")).toBe(true));
      const before = product.acme.countOrders();
      const memory: number[] = [];
      for (let batch = 0; batch < unknownNames / 100; batch++) {
        const unknown = Array.from({ length: 100 }, (_, index) => `x${batch}-${index}.example.com`);
        const results = await Promise.all(unknown.map((name) => shakeHands(product.httpsPort, name)));
        expect(results).not.toContain(true);
        if (batch % (unknownNames / 1000) === 0) memory.push(memoryOf([product.pid()]) / 1e6);
      }
      expect(await shakeHands(product.httpsPort, "localhost")).toBe(true);
      expect(product.acme.countOrders()).toBe(before);
      console.log(`memory during ${unknownNames} unknown names: ${memory.map(Math.round).join(", ")} MB`);
      // Also outside of the heap, where TLS has its memory.
      expect(Math.max(...memory) - (memory[0] ?? 0)).toBeLessThan(120);
    },
  );
});
