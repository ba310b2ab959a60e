import { categoryOf, type PlanPage, type PlanUse } from "@nido/contract";
import type { Stripe } from "stripe";
import type { Db } from "../../db/connect.ts";
import { findTraffic } from "../../traffic/queries.ts";
import { findStaging, findWordPress } from "../../wordpress/queries.ts";
import type { Billing } from "../Billing.ts";
import { findUpcoming } from "../findUpcoming.ts";
import { idOf } from "../idOf.ts";
import { itemOf } from "./quotePlanChange.ts";
import { requireOwnPlan } from "./requireChangeable.ts";

/** The plan of a customer's project, what the project uses, and the plans that it can change to. */
export async function readPlanPage(billing: Billing, userId: string, projectId: string): Promise<PlanPage> {
  const { db, stripe, catalogue } = billing;
  const { project, subscription: known } = await db.transaction((tx) => requireOwnPlan(tx, userId, projectId));
  const [subscription, next, { month, year }, use, staging] = await Promise.all([
    stripe.subscriptions.retrieve(known.id, { expand: ["latest_invoice"] }),
    findUpcoming(billing, known),
    catalogue.byInterval(categoryOf(project.recipe)),
    readUse(db, userId, project),
    findStaging(db, project.id),
  ]);
  const offers = [...month, ...year].filter(({ plan }) => plan.currency === known.currency);
  const undo = undoOf(subscription);
  return {
    current: itemOf(subscription).price.id,
    offers,
    use,
    ...(undo && offers.some(({ plan }) => plan.id === undo) && { undo }),
    ...unpaidOf(subscription),
    ...(next && { next }),
    has_staging: staging !== undefined,
  };
}

async function readUse(db: Db, userId: string, project: { id: string; diskUsed: number }): Promise<PlanUse> {
  const [points = [], site] = await Promise.all([
    findTraffic(db, userId, project.id, "month"),
    findWordPress(db, project.id),
  ]);
  const sum = (name: "php_ms" | "visits") => points.reduce((total, point) => total + point[name], 0);
  return {
    disk: project.diskUsed,
    ...(site?.memoryPeak != null && { memory: Math.round(site.memoryPeak / 2 ** 20) }),
    php_seconds: Math.round(sum("php_ms") / 1000),
    visits: sum("visits"),
  };
}

/** The plan before the last change, if that charged nothing: changing back is covered by its credit, or by the trial. */
function undoOf(subscription: Stripe.Subscription): string | undefined {
  const { latest_invoice: invoice, pending_update: waiting } = subscription;
  if (waiting || typeof invoice !== "object" || invoice?.billing_reason !== "subscription_update") return undefined;
  if (invoice.total > 0) return undefined;
  const current = itemOf(subscription).price.id;
  const prices = invoice.lines.data.map(({ pricing }) => idOf(pricing?.price_details?.price));
  return prices.find((price) => price !== undefined && price !== current);
}

function unpaidOf({ latest_invoice: invoice, pending_update: waiting }: Stripe.Subscription): Pick<PlanPage, "unpaid"> {
  const plan = waiting?.subscription_items?.[0]?.price.id;
  if (!plan || typeof invoice !== "object" || !invoice?.hosted_invoice_url) return {};
  return { unpaid: { plan, url: invoice.hosted_invoice_url } };
}
