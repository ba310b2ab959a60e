import { answering } from "@nido/test-kit/answering";
import { startApp } from "@nido/test-kit/app";
import { createDatabase } from "@nido/test-kit/database";
import { expectedOf, seenOf } from "@nido/test-kit/money/comparePurchase";
import { moneyActions } from "@nido/test-kit/money/moneyActions";
import { openWorld, type World } from "@nido/test-kit/money/openWorld";
import { order } from "@nido/test-kit/money/order";
import type { Plan } from "@nido/test-kit/money/Purchase";
import { WebhookSender } from "@nido/test-kit/money/WebhookSender";
import { ended, settings, start } from "@nido/test-kit/product";
import { waitUntil } from "@nido/test-kit/waitUntil";
import { asc, sql } from "drizzle-orm";
import fc from "fast-check";
import type { Stripe } from "stripe";
import { expect, onTestFinished, test } from "vitest";
import { events, mailMessages, projects, subscriptions } from "../db/schema.ts";
import type { StripeAccess } from "./Billing.ts";

/** `npm run test:long` sends 10,000. */
const deliveries = Number(process.env["NIDO_TEST_DELIVERIES"] ?? 300);
/** A failure prints it. Within `npm test` it is always the same, so that a change fails and not chance. */
const isLong = process.env["NIDO_TEST_DELIVERIES"] !== undefined;
const seed = Number(process.env["NIDO_TEST_SEED"] ?? (isLong ? Date.now() % 1_000_000 : 1));
/** Only ends a run that hangs: ten thousand take long on a busy machine. */
const timeout = 3 * 60 * 60 * 1000;
const repeatedPercent = 30;
const rounds = Math.max(2, Math.round(deliveries / 1250));
/** A buyer has at most fifty receipts, as many messages of a kind as an address gets in a day. */
const buyerCount = Math.max(8, Math.round(deliveries / 120));

const running = ["renew", "renew", "renew", "fail", "pay", "upgrade", "downgrade", "refund"] as const;
const ending = ["giveUp", "cancelInPortal"] as const;

/** Whole numbers that are the same for the same seed. */
const values = fc.sample(fc.nat(), { numRuns: 50_000, seed });
let drawn = 0;
const random = (below: number) => (values[drawn++ % values.length] as number) % below;

/** The provider, whose list of events is empty: what a webhook does not bring is lost. */
function withoutEvents(access: StripeAccess) {
  const body = { object: "list", data: [], has_more: false, url: "/v1/events" };
  return answering(access, ({ url }) => (url?.startsWith("/v1/events") ? { status: 200, body } : undefined));
}

test(`${deliveries} webhooks, repeated, in any order and while the product is killed: nothing is lost or doubled (seed ${seed})`, {
  timeout,
}, async () => {
  const { env, origin } = await settings();
  const databaseUrl = await createDatabase();
  const terms = { GRACE_DAYS: "0", STRIPE_AUTOMATIC_TAX: "on" };
  const world = await openWorld(await startApp({ env: terms, databaseUrl }), buyerCount);
  onTestFinished(world.close);
  const { secretKey, apiUrl, webhookSecret } = await withoutEvents(world.access);
  const all = {
    ...env,
    ...terms,
    DATABASE_URL: databaseUrl,
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    STRIPE_API_URL: String(apiUrl),
    LOG_LEVEL: "error",
  };
  const [plan] = world.plans.filter(({ recipe }) => recipe === "static_starter") as [Plan];
  const waiting: Stripe.Event[] = [];
  const take = async () => waiting.push(...(await world.takeEvents()));
  for (const buyer of world.buyers) {
    await order(world, buyer, plan, { isReferred: random(2) === 0, isPaid: true });
    await take();
  }

  let nido = start({ env: all });
  await nido;
  const sender = new WebhookSender(world.stripe, { origin, secret: webhookSecret }, random);
  const kill = async () => {
    const { child } = await nido;
    child.kill("SIGKILL");
    nido = ended(child).then(() => start({ env: all }));
  };
  const repeats = Math.round((deliveries * repeatedPercent) / 100 / rounds);
  const fresh = Math.round(deliveries / rounds) - repeats;
  for (let round = 1; round <= rounds; round++) {
    // All purchases are known by now: one that ends before that is refused.
    const isLast = round === rounds;
    if (isLast) await finished(world);
    for (let time = 0; isLast && time < world.purchases.length / 4; time++) {
      await act(world, ending);
      await take();
    }
    while (waiting.length < fresh) {
      await act(world, running);
      await take();
    }
    const killAt = sender.accepted + 1 + random(fresh);
    let isKilled = false;
    await sender.deliver(waiting.splice(0), repeats, () => {
      if (!isKilled && sender.accepted >= killAt) {
        isKilled = true;
        void kill();
      }
      return nido;
    });
  }

  await finished(world);
  const { db, purchases, billing } = world;
  expect(sender.accepted).toBeGreaterThanOrEqual(deliveries);
  expect(sender.refused, "deliveries that a killed product did not accept").toBeGreaterThan(0);
  const claimed = await db.select({ id: events.id }).from(events).orderBy(asc(events.id));
  expect(claimed.map(({ id }) => id)).toEqual(sender.events.map(({ id }) => id).toSorted());
  for (const [index, purchase] of purchases.entries())
    expect(await seenOf(world, purchase), `purchase ${index}`).toEqual(
      expectedOf(purchase, billing.config.REFERRAL_EARNING_PERCENT),
    );
  expect(await db.$count(projects)).toBe(purchases.length);
  expect(await db.$count(subscriptions)).toBe(purchases.length);
  const ready = await db.$count(mailMessages, sql`template = 'siteReady'`);
  expect(ready, "messages that a site is ready").toBe(purchases.length);
});

async function act(world: World, names: readonly string[]) {
  const name = names[random(names.length)] as string;
  await moneyActions[name]?.perform(world, { target: random(world.purchases.length), choice: random(16) });
}

/** Waits until the product has done all its jobs. */
function finished({ db }: World) {
  return waitUntil(
    "all jobs are done",
    async () => {
      const { rows } = await db.execute(
        sql`select key, attempts, last_error from graphile_worker._private_jobs
          where key ~ '^(syncCheckout|syncSubscription|syncInvoice|syncRefund|updateAtProvider):' and attempts < max_attempts`,
      );
      return rows;
    },
    (rows) => rows.length === 0,
  );
}
