import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { CheckoutRequest, CustomerState, PlanOffers } from "@nido/contract";
import { startSandbox } from "@nido/sandbox";
import { insertUser } from "@nido/server/account/queries";
import { sessionCookie } from "@nido/server/auth/cookie";
import { openSession } from "@nido/server/auth/sessions";
import { connectStripe, type StripeAccess } from "@nido/server/billing/Billing";
import { seedCatalogue } from "@nido/server/billing/catalogue/seedCatalogue";
import { billingJobHandlers } from "@nido/server/billing/jobHandlers";
import { webhookPath } from "@nido/server/billing/sync/webhookRoute";
import { startJobs, taskListOf } from "@nido/server/jobs/startJobs";
import { Logger, runTaskListOnce } from "graphile-worker";
import type { Stripe } from "stripe";
import { expect, onTestFinished, vi } from "vitest";
import { origin, startApp, type TestApp } from "./app.ts";
import { dropAnswers } from "./dropAnswers.ts";
import { patience } from "./socket.ts";

interface Options {
  env?: Record<string, string>;
  /** false: events go nowhere, and are delivered by the test */
  delivers?: boolean;
  /** false: jobs run when the test says so */
  works?: boolean;
  /** what the server reaches the provider through */
  through?: (access: StripeAccess) => Promise<StripeAccess>;
}

/** Takes the provider's events, which have to go somewhere before there is a server, to the server. */
async function openRelay() {
  let target: TestApp | undefined;
  const relay = createServer(async (request, response) => {
    const body: Buffer[] = [];
    for await (const chunk of request) body.push(chunk);
    const headers = request.headers as Record<string, string>;
    const answer = await target?.app.inject({
      method: "POST",
      url: webhookPath,
      headers,
      payload: Buffer.concat(body),
    });
    response.writeHead(answer?.statusCode ?? 503).end();
  }).listen(0, "127.0.0.1");
  await once(relay, "listening");
  onTestFinished(() => {
    relay.closeAllConnections();
    relay.close();
  });
  return {
    url: new URL(`http://127.0.0.1:${(relay.address() as AddressInfo).port}`),
    passTo: (server: TestApp) => {
      target = server;
    },
  };
}

/** Everything again through a line that loses each first answer: `npm run test:long` asks for it. */
const line = process.env["NIDO_TEST_LINE"] === "lossy" ? (access: StripeAccess) => dropAnswers(access, 1) : undefined;

/** The product with the payment stand-in and its catalogue, and, unless told otherwise, a worker. */
export async function openShop({ env = {}, delivers = true, works = true, through = line }: Options = {}) {
  const relay = await openRelay();
  const webhookUrl = delivers ? relay.url : new URL("http://127.0.0.1:9");
  const sandbox = await startSandbox({ port: 0, redirectUri: new URL(origin), webhookUrl });
  onTestFinished(sandbox.stop);
  const access = through ? await through(sandbox.stripe) : sandbox.stripe;
  const server = await startApp({ env, stripe: access });
  relay.passTo(server);
  // The test's own, past whatever the server's calls go through.
  const stripe = connectStripe(sandbox.stripe);
  await seedCatalogue(stripe);
  const handlers = billingJobHandlers(server.billing);
  if (works) {
    const stop = await startJobs(server.databaseUrl, handlers, server.app.log);
    onTestFinished(stop);
  }

  return {
    server,
    stripe,
    sandbox,
    webhookSecret: access.webhookSecret,
    /** Runs every job that is due, to the end. */
    work: async () => {
      const client = await server.db.$client.connect();
      try {
        await runTaskListOnce({ logger: silent }, taskListOf(handlers), client);
      } finally {
        client.release();
      }
    },
    /** A click on the stand-in's pages. */
    click: (path: string, action: string) =>
      fetch(new URL(path, sandbox.origin), {
        method: "POST",
        body: new URLSearchParams({ action }),
        redirect: "manual",
      }),
  };
}
export type Shop = Awaited<ReturnType<typeof openShop>>;

const silent = new Logger(() => () => undefined);

export type Headers = Awaited<ReturnType<typeof newBuyer>>["headers"];

/** A customer of their own, signed in without the work of a password. */
export async function newBuyer({ server }: Pick<Shop, "server">) {
  const email = `${randomBytes(4).toString("hex")}@example.com`;
  return server.db.transaction(async (tx) => {
    const id = (await insertUser(tx, { email, givenName: "Ana" })) as string;
    const cookie = `${sessionCookie}=${await openSession(tx, id)}`;
    return { id, email, headers: { host: "localhost:3000", origin, cookie } };
  });
}

export function newName(): string {
  return `site${randomBytes(5).toString("hex")}`;
}

export async function planOf({ server }: Pick<Shop, "server">, recipe: string, interval: "month" | "year" = "year") {
  const category = recipe.startsWith("static") ? "static" : "wordpress";
  const response = await server.app.inject({
    url: `/billing/products?recipe_category=${category}`,
    headers: { host: "localhost:3000" },
  });
  const offer = response.json<PlanOffers>()[interval].find(({ product }) => product.metadata.recipe === recipe);
  if (!offer) throw new Error(`there is no ${recipe} by the ${interval}`);
  return offer.plan.id;
}

interface DesiredState extends Partial<CheckoutRequest> {
  plan?: string;
}

/** Asks for a checkout as the purchase page does: a static site, unless told otherwise. */
export async function order(shop: Pick<Shop, "server">, headers: Headers, { plan, ...wish }: DesiredState = {}) {
  const planId = plan ?? (await planOf(shop, wish.category === "wordpress" ? "wordpress_starter" : "static_starter"));
  const payload = { project_name: newName(), username: "", promo: "", locale: "es", category: "static", ...wish };
  return shop.server.app.inject({ method: "POST", url: `/billing/session/${planId}`, headers, payload });
}

export async function pay({ click }: Shop, sessionId: string) {
  const response = await click(`/stripe/pay/${sessionId}`, "pay");
  expect(response.status).toBe(303);
  return response.headers.get("location");
}

export async function stateOf({ app }: TestApp, headers: Headers): Promise<CustomerState> {
  return (await app.inject({ url: "/redux", headers })).json();
}

export async function projectsOf(server: TestApp, headers: Headers) {
  return Object.values((await stateOf(server, headers)).projects);
}

/** Buys a site, and waits until the customer has it. */
export async function buy(shop: Shop, headers: Headers, wish: DesiredState = {}) {
  const name = wish.project_name ?? newName();
  const response = await order(shop, headers, { ...wish, project_name: name });
  expect(response.statusCode, response.body).toBe(200);
  await pay(shop, response.json<{ id: string }>().id);
  return vi.waitFor(async () => {
    const project = (await projectsOf(shop.server, headers)).find((own) => own.name === name);
    if (!project) throw new Error(`${name} has not come yet`);
    return project;
  }, patience);
}

/** Sends an event as the provider does. */
export function deliver({ server, stripe, webhookSecret }: Shop, event: Stripe.Event | string, timestamp?: number) {
  const payload = typeof event === "string" ? event : JSON.stringify(event, null, 2);
  const header = stripe.webhooks.generateTestHeaderString({
    payload,
    secret: webhookSecret,
    ...(timestamp !== undefined && { timestamp }),
  });
  return server.app.inject({
    method: "POST",
    url: webhookPath,
    headers: { host: "localhost:3000", "content-type": "application/json", "stripe-signature": header },
    payload,
  });
}

/** The provider's latest events about a session and what it made, the oldest first. */
export async function eventsOf({ stripe }: Shop, sessionId: string): Promise<Stripe.Event[]> {
  const session = await stripe.checkout.sessions.retrieve(sessionId);
  const { data } = await stripe.events.list({ limit: 30 });
  const about = String(session.subscription ?? sessionId);
  return data.filter((event) => JSON.stringify(event).includes(about)).reverse();
}

/** Until no job is left that a worker would take. */
export function settled(shop: Shop) {
  return vi.waitFor(async () => {
    const { rows } = await shop.server.db.$client.query(
      "select 1 from graphile_worker._private_jobs where key !~ '^(provisionWordPress|archiveSite):'",
    );
    expect(rows).toEqual([]);
  }, patience);
}
