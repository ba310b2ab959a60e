import { readOutbox } from "@nido/test-kit/outbox";
import { buy, newBuyer, newName, openShop, order, projectsOf, reported, type Shop, stateOf } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { activity, subscriptions } from "../../db/schema.ts";

async function bought(shop: Shop) {
  const { headers } = await newBuyer(shop);
  const project = await buy(shop, headers);
  return {
    headers,
    project,
    control: (action: string) => shop.click(`/stripe/subscription/${project.sub_id}`, action),
    subscription: async () => (await stateOf(shop.server, headers)).subscriptions[project.sub_id],
    reminders: async () =>
      (await readOutbox(shop.server))
        .filter(({ template }) => template === "paymentFailed")
        .map(({ params }) => [params["asks"], params["reminder"]]),
  };
}

test("a purchase whose card is confirmed makes the project, and one that is refused can be tried again", async () => {
  const shop = await openShop();
  const { headers } = await newBuyer(shop);
  const { id } = (await order(shop, headers, { project_name: newName() })).json<{ id: string }>();
  await shop.click(`/stripe/pay/${id}`, "ask");
  await shop.click(`/stripe/pay/${id}`, "refuse");
  await reported(shop);
  expect(await projectsOf(shop.server, headers)).toEqual([]);
  await shop.click(`/stripe/pay/${id}`, "confirm");
  await eventually(async () => expect(await projectsOf(shop.server, headers)).toHaveLength(1));
});

test("a renewal that the bank wants confirmed is told with a link that works signed out, and is settled at once by it", async () => {
  const shop = await openShop();
  const { headers, control, subscription, reminders } = await bought(shop);
  await control("askPeriod");
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: true, payment_step: "confirm" }));
  await eventually(async () => expect(await reminders()).toEqual([[true, 1]]));
  const [entry] = await shop.server.db.select().from(activity).where(sql`kind = 'paymentUnconfirmed'`);
  expect(entry?.params).toMatchObject({ amount: 2900, currency: "eur" });

  // The later reminders ask for the same, until the site is suspended.
  for (const [days, reminder] of [
    [3, 2],
    [6, 3],
  ]) {
    await shop.server.db.update(subscriptions).set({ pastDueSince: sql`now() - make_interval(days => ${days})` });
    await shop.server.db.execute("select graphile_worker.add_job('suspendOverdue')");
    await eventually(async () => expect((await reminders()).at(-1)).toEqual([true, reminder]));
  }
  await shop.server.db.update(subscriptions).set({ pastDueSince: sql`now() - interval '8 days'` });
  await shop.server.db.execute("select graphile_worker.add_job('suspendOverdue')");
  await eventually(async () => expect((await projectsOf(shop.server, headers))[0]?.status).toBe("suspended"));

  const [message] = (await readOutbox(shop.server)).filter(({ template }) => template === "paymentFailed");
  await shop.click(new URL(String(message?.params["url"])).pathname, "confirm");
  await eventually(async () => expect((await projectsOf(shop.server, headers))[0]?.status).toBe("active"));
  const settledOne = await subscription();
  expect([settledOne?.past_due, settledOne?.payment_step]).toEqual([false, undefined]);
});

test("a declined payment that then waits for a confirmation is told again, and a repeated report is not", async () => {
  const shop = await openShop();
  const { control, subscription, reminders } = await bought(shop);
  await control("failPeriod");
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: true }));
  await reported(shop);
  expect(await subscription()).not.toHaveProperty("payment_step");
  await control("askPeriod");
  await eventually(async () => expect(await subscription()).toMatchObject({ payment_step: "confirm" }));
  await control("finalize"); // charged again: the bank asks once more
  await reported(shop);
  expect(await reminders()).toEqual([
    [false, 1],
    [true, 1],
  ]);
});

test("in the draft hour of a renewal nothing is owed; a project that is deleted then is not charged any more", async () => {
  const shop = await openShop();
  const { headers, project, control, subscription } = await bought(shop);
  const before = await subscription();
  await control("beginPeriod");
  await eventually(async () =>
    expect(await subscription()).toMatchObject({
      current_period_start: before?.current_period_end,
      past_due: false,
    }),
  );
  const payload = { type: "DELETE_PROJECT", payload: { id: project.id } };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers, payload });
  const ended = { status: "canceled", latest_invoice: { status: "draft", auto_advance: false } };
  await eventually(async () => {
    const now = await shop.stripe.subscriptions.retrieve(project.sub_id, { expand: ["latest_invoice"] });
    expect(now).toMatchObject(ended);
  });
  expect((await control("finalize")).status).toBe(400);
});

test("a renewal that is finalised after its draft hour is paid as usual", async () => {
  const shop = await openShop();
  const { control, reminders } = await bought(shop);
  await control("beginPeriod");
  await control("finalize");
  await eventually(async () => {
    const receipts = (await readOutbox(shop.server)).filter(({ template }) => template === "receipt");
    expect([receipts.length, await reminders()]).toEqual([2, []]);
  });
});

test("a project that is deleted while its renewal is debited keeps the period that the debit pays for", async () => {
  const shop = await openShop({ env: { PAYMENT_METHODS: "card,sepa_debit" } });
  const { headers, project, control } = await bought(shop);
  await control("debitPeriod");
  const payload = { type: "DELETE_PROJECT", payload: { id: project.id } };
  await shop.server.app.inject({ method: "POST", url: "/redux", headers, payload });
  const atProvider = () => shop.stripe.subscriptions.retrieve(project.sub_id);
  await eventually(async () =>
    expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: true }),
  );
  // If it fails after all, nothing is collected any more.
  await control("debitFails");
  await eventually(async () => {
    await shop.server.db.execute("select graphile_worker.add_job('reconcile', job_key => 'reconcile')");
    expect((await atProvider()).status).toBe("canceled");
  });
});

test.each(["keep_as_draft", "void", "mark_uncollectible"] as const)(
  "a collection that the operator paused (%s) owes nothing",
  async (behavior) => {
    const shop = await openShop();
    const { project, control, subscription, reminders } = await bought(shop);
    const before = await subscription();
    await shop.stripe.subscriptions.update(project.sub_id, { pause_collection: { behavior } });
    await control("endPeriod");
    await eventually(async () => expect((await subscription())?.current_period_start).toBe(before?.current_period_end));
    await reported(shop);
    expect([await subscription(), await reminders()]).toMatchObject([{ past_due: false }, []]);
  },
);

test("a paused subscription neither suspends nor deletes its project", async () => {
  const shop = await openShop();
  const { headers, control, subscription } = await bought(shop);
  await control("failPeriod");
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: true }));
  await control("pause");
  await eventually(async () => expect(await subscription()).toMatchObject({ past_due: false }));
  expect((await projectsOf(shop.server, headers))[0]?.status).toBe("active");
});

test("a portal whose settings were never saved is told in words, and to the operator in the log", async () => {
  const shop = await openShop();
  const { headers } = await bought(shop);
  await shop.click("/stripe/settings", "togglePortal");
  const logged: unknown[] = [];
  Object.assign(shop.server.billing.log, { error: (...line: unknown[]) => logged.push(line) });
  const open = () => shop.server.app.inject({ method: "POST", url: "/billing/portal", headers });
  const refused = await open();
  expect([refused.statusCode, refused.json()]).toEqual([503, { error: "error_portal_unsaved" }]);
  expect(JSON.stringify(logged)).toContain("save the customer portal's settings");
  await shop.click("/stripe/settings", "togglePortal");
  expect((await open()).statusCode).toBe(200);
});
