import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Exchange } from "@nido/test-kit/acmeProxy";
import { whyNoAuthority } from "@nido/test-kit/acmeServer";
import { shakeHands, startProduct } from "@nido/test-kit/certificates";
import { testLong } from "@nido/test-kit/long";
import { type NameServer, startNameServer, whyNoNameServer } from "@nido/test-kit/nameServer";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";

const whyNot = whyNoNameServer ?? whyNoAuthority;
let names: NameServer;

type Product = Awaited<ReturnType<typeof startProduct>>;

/** The product with certificates for itself and `served.example.com`, and a proxy in front of the authority. */
async function startServing() {
  const product = await startProduct({ names, isProxied: true });
  await product.plan();
  await product.addDomains("served.example.com");
  for (const name of ["localhost", "served.example.com"])
    await eventually(async () => expect(await shakeHands(product.httpsPort, name)).toBe(true));
  const { serial } = await product.get("served.example.com");
  return { product, serial };
}

/** Makes all certificates due, and waits until the order for this name has failed. */
async function tryAll({ db, plan, rowOf }: Product, name: string) {
  const before = Number((await rowOf(name))?.["failures"]);
  await db.execute(sql`update certificates set due_at = now()`);
  await plan();
  await eventually(async () => expect(Number((await rowOf(name))?.["failures"])).toBeGreaterThan(before));
}

function refuse(exchange: Exchange, status: number, type: string, headers: Record<string, string> = {}) {
  exchange.status = status;
  exchange.body = JSON.stringify({ type: `urn:ietf:params:acme:error:${type}`, detail: "refused by the test" });
  Object.assign(exchange.headers, headers);
}

describe.skipIf(whyNot)(`faults of a certificate authority${whyNot ? `: ${whyNot}` : ""}`, () => {
  beforeAll(async () => {
    names = await startNameServer(["example.com", "localhost"]);
    await names.set("localhost", "A", "127.0.0.1");
    await names.set("*.sites.localhost", "A", "127.0.0.1");
  });
  afterAll(() => names?.stop());

  test("a certificate for another name, or a malformed one, is not used; the next valid one is", async () => {
    const { product, serial } = await startServing();
    const { rows } = await product.db.execute(sql`select chain from certificates where name = 'served.example.com'`);
    for (const lie of [String(rows[0]?.["chain"]), "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"]) {
      product.proxy.onAnswer((exchange) => {
        if (exchange.path.startsWith("/certZ/")) exchange.body = lie;
      });
      const name = lie.includes("AAAA") ? "second.example.com" : "first.example.com";
      await product.addDomains(name);
      await eventually(async () =>
        expect(await product.rowOf(name)).toMatchObject({ chain: null, problem: "error_certificate_authority" }),
      );
      expect(await shakeHands(product.httpsPort, name)).toBe(false);
      await tryAll(product, "served.example.com");
      expect((await product.get("served.example.com")).serial).toBe(serial);
    }
    product.proxy.onAnswer(() => undefined);
    await eventually(async () => {
      await product.db.execute(sql`update certificates set due_at = now() where chain is null`);
      await product.plan();
      expect(await shakeHands(product.httpsPort, "first.example.com")).toBe(true);
      expect(await shakeHands(product.httpsPort, "second.example.com")).toBe(true);
    });
  });

  test("an authority that limits us is asked again only after its Retry-After, and current certificates stay in use", async () => {
    const { product, serial } = await startServing();
    let asked = 0;
    product.proxy.onAnswer((exchange) => {
      if (!exchange.path.startsWith("/order-plz")) return;
      asked++;
      refuse(exchange, 429, "rateLimited", { "retry-after": "86400" });
    });
    await product.addDomains("limited.example.com");
    await eventually(async () =>
      expect(await product.rowOf("limited.example.com")).toMatchObject({ problem: "error_certificate_rate_limit" }),
    );
    const due = new Date(String((await product.rowOf("limited.example.com"))?.["due_at"])).getTime() - Date.now();
    expect(due / 3_600_000).toBeGreaterThan(23);
    const before = asked;
    for (let run = 0; run < 3; run++) await product.plan();
    await pause(2000);
    expect(asked).toBe(before);
    expect((await product.get("served.example.com")).serial).toBe(serial);
  });

  test("a CAA record that forbids the certificate is told to the customer, once; a fault of the authority is not", async () => {
    const { product } = await startServing();
    const messages = async () =>
      (
        await product.db.execute(
          sql`select params from mail_messages where template = 'certificateProblem' and params ->> 'domain' = 'forbidden.example.com'`,
        )
      ).rows;
    product.proxy.onAnswer((exchange) => {
      if (exchange.path.startsWith("/order-plz")) refuse(exchange, 500, "serverInternal");
    });
    await product.addDomains("forbidden.example.com");
    await eventually(async () =>
      expect(await product.rowOf("forbidden.example.com")).toMatchObject({ problem: "error_certificate_authority" }),
    );
    expect(await messages()).toEqual([]);
    product.proxy.onAnswer((exchange) => {
      if (exchange.path.startsWith("/order-plz")) refuse(exchange, 403, "caa");
    });
    for (let round = 0; round < 2; round++) await tryAll(product, "forbidden.example.com");
    expect(await messages()).toMatchObject([
      { params: { domain: "forbidden.example.com", reason: "error_certificate_caa" } },
    ]);
  });

  testLong("a slow authority, and one that has deleted our account, issue certificates in the end", async () => {
    const { product } = await startServing();
    product.proxy.onAnswer(() => pause(700));
    await product.addDomains("slow.example.com");
    await eventually(async () => expect(await shakeHands(product.httpsPort, "slow.example.com")).toBe(true));

    let registered = 0;
    product.proxy.onAnswer((exchange) => {
      if (exchange.path === "/sign-me-up") registered++;
      if (exchange.path === "/order-plz" && registered === 0) refuse(exchange, 400, "accountDoesNotExist");
    });
    await product.addDomains("again.example.com");
    await eventually(async () => {
      await product.db.execute(sql`update certificates set due_at = now() where chain is null`);
      await product.plan();
      expect(await shakeHands(product.httpsPort, "again.example.com")).toBe(true);
    });
    expect(registered).toBe(1);
  });

  testLong("after kill -9 at any stage of an order, the same order is completed", async () => {
    const { product } = await startServing();
    const before = product.acme.countOrders();
    // The product is killed just before it receives the answer to each of these calls.
    const stages = {
      proved: /^\/chalZ\//,
      requested: /^\/finalize-order\//,
      issued: /^\/certZ\//,
      // Last, so that the order is not on the first page of the authority's list.
      ordered: /^\/order-plz/,
    };
    for (const [stage, path] of Object.entries(stages)) {
      const isReached = new Promise<void>((resolve) => {
        product.proxy.onAnswer((exchange) => {
          if (!path.test(exchange.path)) return;
          product.proxy.onAnswer(() => undefined);
          return product.kill().then(resolve);
        });
      });
      await product.addDomains(`${stage}.example.com`);
      await isReached;
      await product.restart();
      await eventually(async () => {
        await product.db.execute(sql`update certificates set due_at = now() where chain is null`);
        await product.plan();
        expect(await shakeHands(product.httpsPort, `${stage}.example.com`)).toBe(true);
      });
    }
    expect(await product.countOrders("open")).toBe(0);
    // An order fails if the authority checks the name while the product is down.
    expect(product.acme.countOrders()).toBe(before + 4 + (await product.countOrders("failed")));
  });

  test("the authority that issued a certificate, here the fallback, has it renewed early, and says when to ask again (ARI)", async () => {
    const { product, serial } = await startServing();
    const replaced: string[] = [];
    product.proxy.onAnswer((exchange) => {
      if (exchange.path === "/dir")
        exchange.body = JSON.stringify({
          ...JSON.parse(exchange.body),
          renewalInfo: `${product.proxy.origin}/renewals`,
        });
      if (!exchange.path.startsWith("/renewals/")) return;
      replaced.push(exchange.path);
      const [start, end] = [Date.now() - 7_200_000, Date.now() - 3_600_000].map((time) => new Date(time).toISOString());
      exchange.status = 200;
      exchange.headers["retry-after"] = "7200";
      exchange.body = JSON.stringify({ suggestedWindow: { start, end } });
    });
    await product.kill();
    product.env.ACME_DIRECTORY = product.acme.directoryUrl;
    Object.assign(product.env, { ACME_FALLBACK_DIRECTORY: product.proxy.directoryUrl });
    await product.restart();
    await product.db.execute(sql`update certificates set renewal_checked_at = to_timestamp(0)`);
    await eventually(async () => {
      await product.plan();
      expect((await product.get("served.example.com")).serial).not.toBe(serial);
    });
    // An id has two parts: the identifier of the authority's key, and the serial number.
    expect(replaced[0]).toMatch(/^\/renewals\/[\w-]+\.[\w-]+$/);
    // It is asked every twelve hours, unless it says otherwise: ten hours ago is as good as in two hours.
    await eventually(async () => {
      await product.plan();
      const { rows } = await product.db.execute(sql`select from certificates where name = 'served.example.com'
        and renewal_checked_at between now() - interval '11 hours' and now() - interval '9 hours'`);
      expect(rows).toHaveLength(1);
    });
  });

  test("a validation that the authority repeats is waited for, for as long as the authority asks", async () => {
    const { product } = await startServing();
    const asked: number[] = [];
    product.proxy.onAnswer((exchange) => {
      if (!exchange.path.startsWith("/authZ/")) return;
      // Before the first one, the authority has not been told to validate.
      if (asked.push(Date.now()) === 1 || asked.length > 3) return;
      const authorization = JSON.parse(exchange.body);
      const error = { type: "urn:ietf:params:acme:error:connection", detail: "the first attempt failed" };
      const challenges = authorization.challenges.map((each: object) => ({ ...each, status: "processing", error }));
      exchange.body = JSON.stringify({ ...authorization, status: "pending", challenges });
      exchange.headers["retry-after"] = "3";
    });
    await product.addDomains("repeated.example.com");
    await eventually(async () => expect(await shakeHands(product.httpsPort, "repeated.example.com")).toBe(true));
    expect(await product.rowOf("repeated.example.com")).toMatchObject({ failures: 0 });
    const [, second = 0, third = 0, fourth = 0] = asked;
    expect(Math.min(third - second, fourth - third)).toBeGreaterThanOrEqual(3000);
  });

  test("a name that the authority cannot reach, and validates slowly, gets its certificate at the next attempt", async () => {
    const product = await startProduct({ names, authority: { validationSeconds: 6 } });
    // The records are right, but nobody answers.
    await names.set("*.sites.localhost", "A", "127.0.0.9");
    await product.addDomains("unreachable.example.com");
    await eventually(async () =>
      expect(await product.rowOf("unreachable.example.com")).toMatchObject({
        failures: 1,
        problem: "error_certificate_unreachable",
      }),
    );
    await names.set("*.sites.localhost", "A", "127.0.0.1");
    await product.db.execute(sql`update certificates set due_at = now() where chain is null`);
    await product.plan();
    await eventually(async () => expect(await shakeHands(product.httpsPort, "unreachable.example.com")).toBe(true));
    expect(await product.rowOf("unreachable.example.com")).toMatchObject({ failures: 0, problem: null });
  });

  testLong(
    "an authority that requires external account binding (EAB), and a program of the operator's for DNS records",
    async () => {
      const folder = mkdtempSync(join(tmpdir(), "nido-dns-command-"));
      onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
      const [program, calls] = [join(folder, "set-record"), join(folder, "calls")];
      const [keyFile, server = ""] = names.update.split("@");
      writeFileSync(
        program,
        `#!/bin/sh
echo "$1 $2" >> ${calls}
if [ "$1" = set ]; then change="add $2. 1 TXT \\"$3\\""; else change="delete $2. TXT \\"$3\\""; fi
printf 'server ${server.replace("#", " ")}\\nupdate %s\\nsend\\n' "$change" | nsupdate -k ${keyFile}
`,
      );
      chmodSync(program, 0o755);
      const key = Buffer.alloc(32, 7).toString("base64url");
      const product = await startProduct({
        names,
        authority: { accountBinding: { id: "kid-1", key } },
        settings: { ACME_EAB: `kid-1:${key}`, DNS_CHALLENGE_COMMAND: program },
      });
      await product.plan();
      await eventually(async () => expect(await shakeHands(product.httpsPort, "anything.sites.localhost")).toBe(true));
      expect(readFileSync(calls, "utf8")).toBe(
        "set _acme-challenge.sites.localhost\nremove _acme-challenge.sites.localhost\n",
      );
    },
  );

  testLong(
    "after ENCRYPTION_KEY is replaced, private keys are encrypted again, and its old value is no longer needed",
    async () => {
      const { product, serial } = await startServing();
      const old = product.env.ENCRYPTION_KEY;
      const idsOfKeys = async () => {
        const { rows } = await product.db.execute(sql`select distinct encode(substring(key from 1 for 4), 'hex') id
        from (select key from certificates union all select key from acme_accounts) keys where key is not null`);
        return rows.map(({ id }) => String(id));
      };
      const [oldId, ...others] = await idsOfKeys();
      expect(others).toEqual([]);
      const restartWith = async (keys: string) => {
        await product.kill();
        product.env.ENCRYPTION_KEY = keys;
        await product.restart();
      };
      await restartWith(`a new key of thirty-two characters and more,${old}`);
      await product.reconcile();
      await eventually(async () => expect(await idsOfKeys()).not.toContain(oldId));
      await restartWith("a new key of thirty-two characters and more");
      expect((await product.get("served.example.com")).serial).toBe(serial);
      await product.addDomains("later.example.com");
      await eventually(async () => expect(await shakeHands(product.httpsPort, "later.example.com")).toBe(true));

      await restartWith("a key of thirty-two characters after the old one was lost");
      expect(await shakeHands(product.httpsPort, "served.example.com")).toBe(false);
      await product.reconcile();
      await eventually(async () => {
        await product.plan();
        expect(await shakeHands(product.httpsPort, "served.example.com")).toBe(true);
      });
    },
  );
});
