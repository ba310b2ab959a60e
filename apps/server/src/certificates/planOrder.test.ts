import { insertUser } from "@nido/server/account/queries";
import { connect, type Db } from "@nido/server/db/connect";
import { createDatabase } from "@nido/test-kit/database";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { orderLimits } from "./limits.ts";
import { planOrder } from "./planOrder.ts";

const undos: (() => Promise<void>)[] = [];
let db: Db;
beforeAll(async () => {
  db = connect(await createDatabase((undo) => void undos.push(undo)));
});
afterAll(async () => {
  await db.$client.end();
  for (const undo of undos) await undo();
});

const authority = (directory: string) => ({ directory, email: undefined, binding: undefined });

/** Orders that were made some time ago. */
async function addOrders(
  count: number,
  directory: string,
  name: string,
  domain: string,
  status = "valid",
  age = "1 hour",
) {
  await db.execute(sql`insert into certificate_orders (name, registered_domain, authority, status, created_at)
    select ${name} || n, ${domain}, ${directory}, ${status}, now() - ${age}::interval from generate_series(1, ${count}) n`);
}

test("however many ask at once, a name has one open order", async () => {
  const plans = await Promise.all(Array.from({ length: 20 }, () => planOrder(db, "one.example.com", authority("a"))));
  expect(new Set(plans.map(({ order }) => order?.id)).size).toBe(1);
  expect(plans.filter(({ isResumed }) => !isResumed)).toHaveLength(1);
});

test("orders wait while an authority's limits are reached, and only at that authority", async () => {
  await addOrders(orderLimits.ofDomain.count, "b", "x", "example.org", "valid", "2 days");
  const { order, waitUntil } = await planOrder(db, "new.example.org", authority("b"));
  expect(order).toBeUndefined();
  const days = ((waitUntil?.getTime() ?? 0) - Date.now()) / (24 * 3_600_000);
  expect(days).toBeCloseTo(5, 1);
  expect((await planOrder(db, "new.example.net", authority("b"))).order).toBeDefined();
  expect((await planOrder(db, "new.example.org", authority("c"))).order).toBeDefined();

  await addOrders(orderLimits.orders.count, "d", "y", "example.edu");
  expect((await planOrder(db, "any.example.net", authority("d"))).waitUntil).toBeDefined();
  await addOrders(orderLimits.failures.count, "e", "z", "example.edu", "failed", "10 minutes");
  expect((await planOrder(db, "any.example.net", authority("e"))).waitUntil).toBeDefined();
});

test("a customer whose orders keep failing waits, and others do not", async () => {
  const add = (who: string) => insertUser(db, { email: `${who}@example.com`, givenName: who });
  const [ana, bea] = [await add("ana"), await add("bea")];
  const { count } = orderLimits.failuresOfCustomer;
  await addOrders(count, "g", "n", "example.com", "failed", "5 hours");
  await db.execute(sql`insert into certificate_hosts (host, user_id)
    select 'n' || n, ${ana}::uuid from generate_series(1, ${count}::int) n`);
  expect((await planOrder(db, "x.example.net", authority("g"), { owner: ana })).waitUntil).toBeDefined();
  expect((await planOrder(db, "x.example.net", authority("g"), { owner: bea })).order).toBeDefined();
});

test("failed orders do not count as certificates of a domain, and old ones count for nothing", async () => {
  await addOrders(orderLimits.ofDomain.count, "f", "x", "example.org", "failed", "2 days");
  await addOrders(orderLimits.ofDomain.count, "f", "y", "example.org", "valid", "8 days");
  expect((await planOrder(db, "new.example.org", authority("f"))).order).toBeDefined();
});
