import { createDatabase } from "@nido/test-kit/database";
import { expect, onTestFinished, test } from "vitest";
import { SessionLocks } from "./SessionLocks.ts";

async function openTwo() {
  const url = await createDatabase();
  const [one, other] = [1, 2].map(() => new SessionLocks(url, 2, () => undefined)) as [SessionLocks, SessionLocks];
  onTestFinished(() => {
    for (const locks of [one, other]) locks.stop();
  });
  return { one, other };
}

test("two processes never work under the same name at the same time, and do not wait for other names", async () => {
  const { one, other } = await openTwo();
  const events: string[] = [];
  const held = Promise.withResolvers<void>();
  const first = one.run("site", async () => {
    events.push("first begins");
    await held.promise;
    events.push("first ends");
  });
  await expect.poll(() => events).toEqual(["first begins"]);
  expect([await other.isFree("site"), await other.isFree("another site")]).toEqual([false, true]);
  const second = other.run("site", async () => events.push("second"));
  await other.run("another site", async () => events.push("another"));
  expect(events).toEqual(["first begins", "another"]);
  held.resolve();
  await Promise.all([first, second]);
  expect(events).toEqual(["first begins", "another", "first ends", "second"]);
  expect(await one.isFree("site")).toBe(true);
});

test("work that fails gives its lock back", async () => {
  const { one, other } = await openTwo();
  await expect(one.run("site", () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await other.run("site", async () => "done")).toBe("done");
});

test("stopping does not wait for work that still runs", async () => {
  const { one, other } = await openTwo();
  const held = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const working = one.run("site", () => {
    begun.resolve();
    return held.promise;
  });
  await begun.promise;
  one.stop();
  expect(await other.isFree("site")).toBe(false);
  held.resolve();
  await working;
  await expect.poll(() => other.isFree("site")).toBe(true);
});
