import { randomBytes } from "node:crypto";
import type { CheckoutRequest, CustomerState, PlanOffers } from "@nido/contract";
import { startSandbox } from "@nido/sandbox";
import { insertUser } from "@nido/server/account/queries";
import { sessionCookie } from "@nido/server/auth/requireSession";
import { openSession } from "@nido/server/auth/sessions";
import { connectStripe, type StripeAccess } from "@nido/server/billing/Billing";
import { seedCatalogue } from "@nido/server/billing/catalogue/seedCatalogue";
import { billingJobHandlers } from "@nido/server/billing/jobHandlers";
import { startJobs, taskListOf } from "@nido/server/jobs/startJobs";
import { Logger, runTaskListOnce } from "graphile-worker";
import { expect, onTestFinished } from "vitest";
import { origin, startApp, type TestApp } from "./app.ts";
import { dropAnswers } from "./dropAnswers.ts";
import { eventually } from "./waitUntil.ts";
import { openWebhookRelay } from "./webhookRelay.ts";

interface Options {
  env?: Record<string, string>;
  /** false: the provider's events are lost, and the test delivers its own */
  delivers?: boolean;
  /** false: jobs run only when the test calls `work` */
  works?: boolean;
  /** wraps the server's connection to the provider, for example to lose answers */
  through?: (access: StripeAccess) => Promise<StripeAccess>;
}

/** `npm run test:long` repeats all purchases on a connection that loses each first answer. */
const line = process.env["NIDO_TEST_LINE"] === "lossy" ? (access: StripeAccess) => dropAnswers(access, 1) : undefined;

/** The product with the payment stand-in, its catalogue and, by default, a worker. */
export async function openShop({ env = {}, delivers = true, works = true, through = line }: Options = {}) {
  const relay = await openWebhookRelay();
  const webhookUrl = delivers ? relay.url : new URL("http://127.0.0.1:9");
  const sandbox = await startSandbox({ port: 0, redirectUri: new URL(origin), webhookUrl });
  onTestFinished(sandbox.stop);
  const access = through ? await through(sandbox.stripe) : sandbox.stripe;
  const server = await startApp({ env, stripe: access });
  relay.passTo(server);
  // The test's own client calls the stand-in directly.
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
    /** Runs all jobs that are due. */
    work: async () => {
      const client = await server.db.$client.connect();
      try {
        await runTaskListOnce({ logger: silent }, taskListOf(handlers), client);
      } finally {
        client.release();
      }
    },
    /** Submits a form of the stand-in's pages. */
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

/** A new customer with a session, made without the cost of hashing a password. */
export async function newBuyer(
  { server }: Pick<Shop, "server">,
  email = `${randomBytes(4).toString("hex")}@example.com`,
) {
  return server.db.transaction(async (tx) => {
    const id = (await insertUser(tx, { email, givenName: "Ana" })) as string;
    const cookie = `${sessionCookie}=${await openSession(tx, id, { userAgent: "", place: "" }, 30)}`;
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
  if (!offer) throw new Error(`The catalogue has no ${recipe} by the ${interval}`);
  return offer.plan.id;
}

interface Purchase extends Partial<CheckoutRequest> {
  plan?: string;
}

/** Requests a checkout as the purchase page does; by default of a static site. */
export async function order(shop: Pick<Shop, "server">, headers: Headers, { plan, ...purchase }: Purchase = {}) {
  const planId =
    plan ?? (await planOf(shop, purchase.category === "wordpress" ? "wordpress_starter" : "static_starter"));
  const payload = { project_name: newName(), username: "", promo: "", locale: "es", category: "static", ...purchase };
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

/** Buys a site, and waits until the customer has the project. */
export async function buy(shop: Shop, headers: Headers, purchase: Purchase = {}) {
  const name = purchase.project_name ?? newName();
  const response = await order(shop, headers, { ...purchase, project_name: name });
  expect(response.statusCode, response.body).toBe(200);
  await pay(shop, response.json<{ id: string }>().id);
  return eventually(async () => {
    const project = (await projectsOf(shop.server, headers)).find((own) => own.name === name);
    if (!project) throw new Error(`The customer has no project ${name} yet`);
    return project;
  });
}

/** Waits until no job is left that this shop's worker would take. */
export function settled(shop: Shop) {
  return eventually(async () => {
    const { rows } = await shop.server.db.$client.query(
      "select key from graphile_worker._private_jobs where key !~ '^(provisionWordPress|archiveSite|sendMessage|sendCode):'",
    );
    expect(rows).toEqual([]);
  });
}

/** Waits until the provider has sent all its events, and their jobs are done. */
export async function reported(shop: Shop) {
  await eventually(async () => {
    const { data } = await shop.stripe.events.list({ limit: 100 });
    expect(data.filter(({ pending_webhooks: pending }) => pending > 0)).toEqual([]);
  });
  await settled(shop);
}
