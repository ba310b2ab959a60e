import { checkouts, projects, subscriptions } from "@nido/server/db/schema";
import { eq, sql } from "drizzle-orm";
import { expect } from "vitest";
import type { TestApp } from "../app.ts";
import { expectedOf, seenOf } from "./comparePurchase.ts";
import { moneyActions } from "./moneyActions.ts";
import { type Delivery, openWorld, type World } from "./openWorld.ts";

/** One event in the life of a shop, and what becomes of its webhooks. */
export interface Step {
  action: string;
  target: number;
  choice: number;
  delivery: Delivery;
  /** false: jobs wait until a later step */
  works: boolean;
}

/** For example `buy(0,3) fail(0,0)/lost refund(0,9)/twice/idle`. */
export function formatStep({ action, target, choice, delivery, works }: Step): string {
  return `${action}(${target},${choice})${delivery === "once" ? "" : `/${delivery}`}${works ? "" : "/idle"}`;
}

export function parseSequence(text: string): Step[] {
  return text.split(" ").map((part) => {
    const [, action, target, choice, delivery, idle] =
      /^(\w+)\((\d+),(\d+)\)(?:\/(twice|lost|late))?(\/idle)?$/.exec(part) ?? [];
    if (!action) throw new Error(`No step: ${part}`);
    return {
      action,
      target: Number(target),
      choice: Number(choice),
      delivery: (delivery ?? "once") as Delivery,
      works: idle === undefined,
    };
  });
}

/** Plays a sequence in an empty world, and compares all sides with the model after one reconcile. */
export async function playSequence(server: TestApp, steps: Step[]) {
  const world = await openWorld(server);
  try {
    for (const { action, delivery, works, ...choice } of steps) {
      await moneyActions[action]?.perform(world, choice);
      await world.deliverNew(delivery);
      if (works) await work(world);
    }
    await world.settle();
    for (const purchase of world.purchases) purchase.tellProvider();
    await compare(world);
  } finally {
    await world.close();
  }
}

async function work(world: World) {
  await world.work();
  for (const purchase of world.purchases) purchase.tellProvider();
}

async function compare(world: World) {
  const { db, purchases, orders, billing } = world;
  const { rows: unfinished } = await db.execute(
    sql`select key, last_error from graphile_worker._private_jobs where last_error is not null
      or key !~ '^(sendMessage|sendCode):'`,
  );
  expect(unfinished, "jobs are left").toEqual([]);
  for (const [index, purchase] of purchases.entries())
    expect(await seenOf(world, purchase), `purchase ${index}`).toEqual(
      expectedOf(purchase, billing.config.REFERRAL_EARNING_PERCENT),
    );
  expect(await db.$count(checkouts, eq(checkouts.state, "open")), "checkouts that hold a name").toBe(0);
  const kept = purchases.filter(({ isRefused }) => !isRefused).length;
  expect([await db.$count(projects), await db.$count(subscriptions)], "projects and subscriptions").toEqual([
    kept,
    kept,
  ]);
  const ended = orders.filter(({ isPaid }) => !isPaid).length + purchases.length - kept;
  expect(await db.$count(checkouts, eq(checkouts.state, "expired")), "checkouts without a project").toBe(ended);
}
