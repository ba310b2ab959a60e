import { createDatabase } from "@nido/test-kit/database";
import { expect, onTestFinished, test } from "vitest";
import { HeldLocks } from "./HeldLocks.ts";
import { SessionLocks } from "./SessionLocks.ts";

test("a lock is held by one at a time, within a process and across processes, also by those who wait", async () => {
  const url = await createDatabase();
  const [one, other] = [1, 2].map(() => new HeldLocks(url, () => undefined)) as [HeldLocks, HeldLocks];
  const waiting = new SessionLocks(url, 2, () => undefined);
  onTestFinished(async () => {
    await Promise.all([one.stop(), other.stop()]);
    waiting.stop();
  });
  const release = await one.take("site", 0);
  expect(release).toBeDefined();
  expect([await one.take("site", 0), await other.take("site", 150)]).toEqual([undefined, undefined]);
  expect(await one.take("another", 0)).toBeDefined();
  expect(await waiting.isFree("site")).toBe(false);

  const taken = other.take("site", 20_000);
  await release?.();
  const second = await taken;
  expect(second).toBeDefined();
  await release?.(); // it is no longer theirs
  expect(await waiting.isFree("site")).toBe(false);
  await second?.();
  expect(await waiting.run("site", async () => one.take("site", 0))).toBeUndefined();
});

test("locks end with the connection, and later ones use a new one", async () => {
  const url = await createDatabase();
  const errors: Error[] = [];
  const locks = new HeldLocks(url, (error) => errors.push(error));
  const other = new SessionLocks(url, 2, () => undefined);
  onTestFinished(async () => {
    await locks.stop();
    other.stop();
  });
  const release = await locks.take("site", 0);
  await locks.stop();
  await expect.poll(() => other.isFree("site")).toBe(true);
  await release?.();
  const again = await locks.take("site", 0);
  expect(again).toBeDefined();
  expect(await other.isFree("site")).toBe(false);
});
