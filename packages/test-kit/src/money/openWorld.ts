import type { ActionName, ActionPayloads } from "@nido/contract";
import { startSandbox } from "@nido/sandbox";
import type { Session } from "@nido/server/auth/sessions";
import { connectStripe, createBilling } from "@nido/server/billing/Billing";
import { seedCatalogue } from "@nido/server/billing/catalogue/seedCatalogue";
import { billingJobHandlers } from "@nido/server/billing/jobHandlers";
import { eventTypes, receiveEvent } from "@nido/server/billing/sync/receiveEvent";
import type { Db } from "@nido/server/db/connect";
import { projects, subscriptions } from "@nido/server/db/schema";
import { handleJob } from "@nido/server/jobs/defineJob";
import { taskListOf } from "@nido/server/jobs/startJobs";
import { performAction } from "@nido/server/remote/performAction";
import { loadState } from "@nido/server/state/loadState";
import { archiveSiteJob, provisionWordPressJob } from "@nido/server/wordpress/jobs";
import { and, eq, isNull, sql } from "drizzle-orm";
import { Logger, runTaskListOnce } from "graphile-worker";
import type { Stripe } from "stripe";
import { origin, type TestApp } from "../app.ts";
import { type Buyer, newBuyer, newCustomer } from "./newCustomer.ts";
import type { Plan, Purchase } from "./Purchase.ts";

export const deliveries = ["once", "twice", "lost", "late"] as const;
/** `late`: after all other events, and in the reverse order. */
export type Delivery = (typeof deliveries)[number];

/** An empty database, a provider without sales, a referrer, and buyers of whom every other one pays VAT. */
export async function openWorld(server: TestApp, buyerCount = 2) {
  const { db, billing, domains, limiter } = server;
  const sandbox = await startSandbox({ port: 0, redirectUri: new URL(origin), webhookUrl: new URL(origin) });
  await empty(db);
  const own = createBilling(db, sandbox.stripe, billing.config, billing.log);
  // The test's own client does not count as the product's.
  const stripe = connectStripe(sandbox.stripe);
  // The world delivers the events itself.
  for (const { id } of (await stripe.webhookEndpoints.list()).data) await stripe.webhookEndpoints.del(id);
  await seedCatalogue(stripe);
  const [wordpress, ownStatic] = [
    await own.catalogue.byInterval("wordpress"),
    await own.catalogue.byInterval("static"),
  ];
  const offers = [wordpress, ownStatic].flatMap(({ month, year }) => [...month, ...year]);
  const plans: Plan[] = offers.map(({ plan, product }) => ({ ...plan, recipe: product.metadata.recipe }));

  const referrer = await newCustomer(server, "referrer@example.com");
  const buyers: Buyer[] = [];
  while (buyers.length < buyerCount)
    buyers.push(await newBuyer(server, `buyer${buyers.length}@example.com`, buyers.length % 2 === 0));
  const tasks = taskListOf([...billingJobHandlers(own), ...siteJobHandlers(db)]);
  const late: Stripe.Event[] = [];
  const delivered: Stripe.Event[] = [];
  let lastSeen: string | undefined;

  /** The events that the provider has recorded since the last call, in their order. */
  const takeEvents = async () => {
    const before = lastSeen ? { ending_before: lastSeen } : {};
    const { data, has_more } = await stripe.events.list({ types: [...eventTypes], limit: 100, ...before });
    if (has_more && !lastSeen) throw new Error("More than a hundred events happened at once");
    lastSeen = data[0]?.id ?? lastSeen;
    return data.reverse();
  };
  const deliver = async (events: Stripe.Event[]) => {
    for (const event of events) await db.transaction((tx) => receiveEvent(tx, event));
    delivered.push(...events);
  };
  const work = async () => {
    const client = await db.$client.connect();
    try {
      await runTaskListOnce({ logger: silent }, tasks, client);
    } finally {
      client.release();
    }
  };
  const runPeriodic = async (job: string) => {
    await db.execute(sql`select graphile_worker.add_job(${job})`);
    await work();
  };
  const customerOf = async ({ subId }: Purchase) => {
    const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, subId));
    return buyers.find(({ id }) => id === row?.userId);
  };

  return {
    db,
    billing: own,
    stripe,
    plans,
    buyers,
    referrer,
    purchases: [] as Purchase[],
    orders: [] as { isPaid: boolean }[],
    access: sandbox.stripe,
    work,
    /** Submits a form of the provider's pages. */
    click: async (path: string, fields: Record<string, string>) => {
      const request = { method: "POST", body: new URLSearchParams(fields), redirect: "manual" } as const;
      const response = await fetch(new URL(path, sandbox.origin), request);
      if (response.status >= 400) throw new Error(`${path}: ${fields["action"]} was refused: ${await response.text()}`);
      await response.body?.cancel();
    },
    /** What has become of a purchase in its customer's dashboard; undefined if it is not there. */
    shown: async (purchase: Purchase) => {
      const customer = await customerOf(purchase);
      const state = customer && (await loadState(db, customer.id, domains.sites));
      const subscription = state?.subscriptions[purchase.subId];
      const project = Object.values(state?.projects ?? {}).find(({ sub_id }) => sub_id === purchase.subId);
      return customer && project && subscription && { customer, project, subscription };
    },
    customerOf,
    isKnown: async (purchase: Purchase) => (await customerOf(purchase)) !== undefined,
    act: <Name extends ActionName>(session: Session, type: Name, payload: ActionPayloads[Name]) =>
      performAction({ db, sites: domains.sites, limiter }, session, { type, payload }),
    takeEvents,
    /** Delivers the events that the provider has recorded since the last call. */
    deliverNew: async (how: Delivery) => {
      const events = await takeEvents();
      if (how === "late") late.unshift(...events.toReversed());
      if (how === "once" || how === "twice") await deliver(events);
      if (how === "twice") await deliver(events.toReversed());
    },
    /** Every event that has been delivered comes once more, the newest first. */
    deliverAgain: () => deliver(delivered.toReversed()),
    /** Delivers what is late, and lets the jobs that run every few minutes run once. */
    settle: async () => {
      await deliver(late.splice(0));
      await work();
      await runPeriodic("reconcile");
      await runPeriodic("suspendOverdue");
    },
    close: sandbox.stop,
  };
}
export type World = Awaited<ReturnType<typeof openWorld>>;

const silent = new Logger(() => () => undefined);

async function empty(db: Db) {
  await db.execute(sql`truncate users, events, cursors cascade`);
  await db.execute(sql`delete from graphile_worker._private_jobs`);
}

/** Sites cost nothing here: they are installed and taken down by a change of their row. */
function siteJobHandlers(db: Db) {
  return [
    handleJob(provisionWordPressJob, ({ projectId }) =>
      db
        .update(projects)
        .set({ status: "active" })
        .where(and(eq(projects.id, projectId), eq(projects.status, "provisioning"), isNull(projects.archivedAt))),
    ),
    handleJob(archiveSiteJob, async () => undefined),
  ];
}
