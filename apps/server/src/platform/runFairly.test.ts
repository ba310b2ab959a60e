import { setTimeout as pause } from "node:timers/promises";
import { expect, test } from "vitest";
import { runFairly } from "./runFairly.ts";

test("runFairly runs every item, one of an owner at a time, and lets no owner occupy all lanes", async () => {
  const items = [...Array.from({ length: 6 }, (_, n) => `hog ${n}`), "ana 0", "bea 0"];
  const running = new Map<string, number>();
  const order: string[] = [];
  let most = 0;
  await runFairly(items, { lanes: 3, ownerOf: (item) => item.slice(0, 3), timeLimit: 60_000 }, async (item) => {
    const owner = item.slice(0, 3);
    running.set(owner, (running.get(owner) ?? 0) + 1);
    most = Math.max(most, running.get(owner) ?? 0);
    await pause(owner === "hog" ? 5 : 1);
    running.set(owner, (running.get(owner) ?? 0) - 1);
    order.push(item);
  });
  expect(most).toBe(1);
  expect(order.toSorted()).toEqual(items.toSorted());
  expect(order.slice(0, 3).toSorted()).toEqual(["ana 0", "bea 0", "hog 0"]);
});

test("with one lane, the first item of each owner comes before the second of any", async () => {
  const done: string[] = [];
  const items = ["hog1", "hog2", "hog3", "ana1", "ana2"];
  await runFairly(items, { lanes: 1, ownerOf: (item) => item.slice(0, 3), timeLimit: 60_000 }, async (item) => {
    done.push(item);
  });
  expect(done).toEqual(["hog1", "ana1", "hog2", "ana2", "hog3"]);
});

test("after its time limit, runFairly starts only the first item of each owner", async () => {
  const done: string[] = [];
  await runFairly(
    ["a1", "a2", "b1", "b2"],
    { lanes: 1, ownerOf: (item) => item.slice(0, 1), timeLimit: -1 },
    async (item) => {
      done.push(item);
    },
  );
  expect(done).toEqual(["a1", "b1"]);
});
