import { createDatabase } from "@nido/test-kit/database";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { expect, onTestFinished, test } from "vitest";
import { rateLimits } from "../config/rateLimits.ts";
import { connect } from "../db/connect.ts";
import { RateLimiter } from "./RateLimiter.ts";

async function openLimiters(count: number) {
  const url = await createDatabase();
  return Array.from({ length: count }, () => {
    const db = connect(url);
    onTestFinished(() => db.$client.end());
    return { db, limiter: new RateLimiter(db) };
  });
}

test("processes share a limit: exactly its number of uses passes, however they are spread", async () => {
  const processes = await openLimiters(3);
  const { max } = rateLimits.signInByAddress;
  const taken = await Promise.all(
    Array.from({ length: 3 * max }, (_, n) => processes[n % 3]?.limiter.tryTake("signInByAddress", "192.0.2.1")),
  );
  expect(taken.filter(Boolean)).toHaveLength(max);
  // A neighbour has a count of their own.
  expect(await processes[0]?.limiter.tryTake("signInByAddress", "192.0.2.2")).toBe(true);
});

test("a large limit costs few queries, is never exceeded, and can be used up by one process", async () => {
  const [one, other] = await openLimiters(2);
  const { max } = rateLimits.deployRequests;
  const queries = one ? countQueries(one.db) : () => 0;
  const taken = await Promise.all(
    Array.from({ length: max + 500 }, () => one?.limiter.tryTake("deployRequests", "customer")),
  );
  expect(taken.filter(Boolean)).toHaveLength(max);
  expect(queries()).toBeLessThan(max / 50);
  expect(await other?.limiter.tryTake("deployRequests", "customer")).toBe(false);
});

test("a use is allowed again in the next window, and a forgiven use does not count", async () => {
  const [one] = await openLimiters(1);
  if (!one) throw new Error("there is no limiter");
  const { max } = rateLimits.currentPassword;
  for (let n = 0; n < max; n++) expect(await one.limiter.tryTake("currentPassword", "ana")).toBe(true);
  expect(await one.limiter.tryTake("currentPassword", "ana")).toBe(false);
  await one.db.execute(sql`update attempts set resets_at = now() - interval '1 second'`);
  await eventually(async () => expect(await one.limiter.tryTake("currentPassword", "ana")).toBe(true));
  for (let n = 0; n < 3 * max; n++) {
    expect(await one.limiter.tryTake("currentPassword", "ana")).toBe(true);
    await one.limiter.forgive("currentPassword", "ana");
  }
});

function countQueries(db: ReturnType<typeof connect>) {
  let count = 0;
  const query = db.$client.query.bind(db.$client);
  Object.assign(db.$client, {
    query: (...args: Parameters<typeof query>) => {
      count++;
      return query(...args);
    },
  });
  return () => count;
}
