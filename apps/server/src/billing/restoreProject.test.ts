import type { ActivityPage } from "@nido/contract";
import { buy, type Headers, newBuyer, openShop, order, pay, projectsOf, type Shop, settled } from "@nido/test-kit/shop";
import { eventually } from "@nido/test-kit/waitUntil";
import { sql } from "drizzle-orm";
import { expect, test } from "vitest";
import { removeArchives } from "../projects/removeArchives.ts";
import { requestUpdate } from "./cancelSubscription.ts";

async function bought() {
  const shop = await openShop();
  const buyer = await newBuyer(shop);
  const project = await buy(shop, buyer.headers);
  const atProvider = () => shop.stripe.subscriptions.retrieve(project.sub_id);
  return { shop, ...buyer, project, atProvider };
}

async function act({ server }: Shop, headers: Headers, type: string, payload: object) {
  const response = await server.app.inject({ method: "POST", url: "/redux", headers, payload: { type, payload } });
  return response.statusCode === 200 ? "done" : response.json().error;
}

async function deletion({ server }: Shop, headers: Headers) {
  const response = await server.app.inject({ url: "/api/activity", headers });
  const { entries } = response.json<ActivityPage>();
  const entry = entries.find(({ kind }) => kind === "projectDeleted" || kind === "projectEnded");
  if (!entry) throw new Error("No project was deleted");
  return entry;
}

test("a deleted project is taken back without a payment, with its domains, and is renewed as before", async () => {
  const { shop, headers, project, atProvider } = await bought();
  await act(shop, headers, "NEW_DOMAIN", { project_id: project.id, domain: "www.example.com" });
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await eventually(async () => expect(await atProvider()).toMatchObject({ cancel_at_period_end: true }));
  const entry = await deletion(shop, headers);
  expect(entry.undo).toBe("free");

  expect(await act(shop, headers, "UNDO", { activity_id: entry.id })).toBe("done");
  const [restored] = await projectsOf(shop.server, headers);
  expect(restored).toMatchObject({ id: project.id, status: "active", sub_id: project.sub_id });
  expect(Object.values(restored?.domains ?? {}).map(({ domain }) => domain)).toContain("www.example.com");
  await eventually(async () =>
    expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: false }),
  );
  expect(await projectsOf(shop.server, headers)).toHaveLength(1);
});

test("deleting and taking back again and again ends as the customer decided last", async () => {
  const { shop, headers, project, atProvider } = await bought();
  for (let round = 0; round < 5; round++) {
    await act(shop, headers, "DELETE_PROJECT", { id: project.id });
    await act(shop, headers, "UNDO", { activity_id: (await deletion(shop, headers)).id });
  }
  await settled(shop);
  expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: false });
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await settled(shop);
  expect(await atProvider()).toMatchObject({ cancel_at_period_end: true });
});

test("a renewal that the customer had cancelled stays cancelled", async () => {
  const { shop, headers, project, atProvider } = await bought();
  await shop.stripe.subscriptions.update(project.sub_id, { cancel_at_period_end: true });
  await eventually(async () => {
    const { rows } = await shop.server.db.execute(sql`select cancel_at_period_end from subscriptions`);
    expect(rows[0]?.["cancel_at_period_end"]).toBe(true);
  });
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await act(shop, headers, "UNDO", { activity_id: (await deletion(shop, headers)).id });
  await settled(shop);
  expect(await atProvider()).toMatchObject({ status: "active", cancel_at_period_end: true });
});

test("once the paid period is over, a new plan for the same name brings the project back", async () => {
  const { shop, headers, project } = await bought();
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await settled(shop);
  await shop.click(`/stripe/subscription/${project.sub_id}`, "endPeriod");
  const entry = await eventually(async () => {
    const ended = await deletion(shop, headers);
    expect(ended.undo).toEqual({ category: "static", username: "" });
    return ended;
  });
  expect(await act(shop, headers, "UNDO", { activity_id: entry.id })).toBe("error_undo_payment");

  const stranger = await newBuyer(shop);
  expect((await order(shop, stranger.headers, { project_name: project.name })).statusCode).toBe(409);
  const other = { project_name: project.name, category: "wordpress", username: "lucia" } as const;
  expect((await order(shop, headers, other)).statusCode).toBe(409);
  await pay(shop, (await order(shop, headers, { project_name: project.name })).json<{ id: string }>().id);
  await eventually(async () => {
    const [restored, ...others] = await projectsOf(shop.server, headers);
    expect(others).toEqual([]);
    expect(restored).toMatchObject({ id: project.id, status: "active" });
    expect(restored?.sub_id).not.toBe(project.sub_id);
  });
});

test("a subscription that is renewed at the provider after the deletion is cancelled again", async () => {
  const { shop, headers, project, atProvider } = await bought();
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await settled(shop);
  await shop.stripe.subscriptions.update(project.sub_id, { cancel_at_period_end: false });
  await eventually(async () => {
    await shop.server.db.execute("select graphile_worker.add_job('reconcile')");
    expect(await atProvider()).toMatchObject({ cancel_at_period_end: true });
  });
});

test("with an overdue payment, the subscription ends at once", async () => {
  const { shop, headers, project, atProvider } = await bought();
  await shop.click(`/stripe/subscription/${project.sub_id}`, "failPeriod");
  await eventually(async () => {
    const { rows } = await shop.server.db.execute(sql`select past_due_since from subscriptions`);
    expect(rows[0]?.["past_due_since"]).not.toBeNull();
  });
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await settled(shop);
  expect(await atProvider()).toMatchObject({ status: "canceled" });
});

test("when the archive is removed, the subscription ends", async () => {
  const { shop, headers, project, atProvider } = await bought();
  await act(shop, headers, "DELETE_PROJECT", { id: project.id });
  await shop.server.db.execute(sql`update projects set archived_at = now() - interval '31 days'`);
  await removeArchives(shop.server.db, shop.server.app.log, (tx, subId) => requestUpdate(tx, subId, "now"));
  await eventually(async () => expect(await atProvider()).toMatchObject({ status: "canceled" }));
  expect((await deletion(shop, headers)).undo).toBeUndefined();
});
