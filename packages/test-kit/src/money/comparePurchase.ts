import { resourcesOf } from "@nido/contract";
import type { Db } from "@nido/server/db/connect";
import { checkouts, earnings, mailMessages, projects, subscriptions } from "@nido/server/db/schema";
import { and, eq, inArray, notInArray } from "drizzle-orm";
import type { Stripe } from "stripe";
import type { World } from "./openWorld.ts";
import type { Purchase } from "./Purchase.ts";

/** What three sides say about a purchase: the provider, the database, and what the customer has. */
export async function seenOf(world: World, purchase: Purchase) {
  const { db, stripe } = world;
  const { invoices, ...provider } = await atProvider(stripe, purchase.subId);
  const { row, ...database } = await inDatabase(db, purchase.subId, invoices);
  const shown = await world.shown(purchase);
  const isOver = provider.hasEnded;
  const paid = invoices.filter(({ status }) => status === "paid");
  return {
    provider: {
      hasEnded: isOver,
      price: provider.price,
      paid: paid.map(({ amount_paid }) => amount_paid),
      refunded: await sumRefunds(stripe, paid),
      ...(!isOver && { isOwed: provider.isOwed, endsWithPeriod: provider.endsWithPeriod }),
    },
    database: row && {
      hasEnded: row.endedAt !== null,
      projects: database.projects.length,
      isArchived: database.projects.map(({ archivedAt }) => archivedAt !== null),
      checkouts: database.checkouts,
      receipts: database.receipts,
      ...(!isOver && {
        amount: row.amount,
        interval: row.interval,
        isOwed: row.pastDueSince !== null,
        endsWithPeriod: row.cancelAtPeriodEnd,
        isPeriodRight:
          row.periodStart.getTime() === (provider.periodStart ?? 0) * 1000 &&
          row.periodEnd.getTime() === (provider.periodEnd ?? 0) * 1000,
      }),
    },
    earned: database.earned,
    site: shown && { status: shown.project.status, ...resourcesOf(shown.project.recipe) },
    dashboard: shown && {
      amount: shown.subscription.plan.amount,
      isOwed: shown.subscription.past_due,
      endsWithPeriod: shown.subscription.cancel_at_period_end,
    },
  };
}

/** What the model says about a purchase, in the same form. */
export function expectedOf(purchase: Purchase, percent: number): Awaited<ReturnType<typeof seenOf>> {
  const { plan, payments, hasEnded, isRefused, isDeleted, endsWithPeriod } = purchase;
  const isOwed = purchase.owed !== undefined;
  const isShown = !hasEnded && !isDeleted;
  return {
    provider: {
      hasEnded,
      price: plan.id,
      paid: payments.map(({ total }) => total),
      refunded: purchase.refunded,
      ...(!hasEnded && { isOwed, endsWithPeriod }),
    },
    database: isRefused
      ? undefined
      : {
          hasEnded,
          projects: 1,
          isArchived: [!isShown],
          checkouts: ["paid"],
          receipts: payments.length,
          ...(!hasEnded && {
            amount: plan.amount,
            interval: plan.interval,
            isOwed,
            endsWithPeriod,
            isPeriodRight: true,
          }),
        },
    earned: purchase.earning(percent),
    site: isShown
      ? { status: isOwed || purchase.isDisputed ? "suspended" : "active", ...resourcesOf(plan.recipe) }
      : undefined,
    dashboard: isShown ? { amount: plan.amount, isOwed, endsWithPeriod } : undefined,
  };
}

/** What the provider has about a subscription. */
async function atProvider(stripe: Stripe, subId: string) {
  const subscription = await stripe.subscriptions.retrieve(subId);
  const invoices: Stripe.Invoice[] = [];
  for await (const invoice of stripe.invoices.list({ subscription: subId, limit: 100 })) invoices.unshift(invoice);
  const [item] = subscription.items.data;
  const hasEnded = subscription.status === "canceled";
  return {
    invoices,
    hasEnded,
    isOwed: subscription.status === "past_due",
    endsWithPeriod: subscription.cancel_at_period_end || subscription.cancel_at !== null,
    price: item?.price.id,
    periodStart: item?.current_period_start,
    periodEnd: item?.current_period_end,
  };
}

/** What the product has recorded about a subscription. */
async function inDatabase(db: Db, subId: string, invoices: Stripe.Invoice[]) {
  const ids = invoices.map(({ id }) => id as string);
  const numbers = new Set(invoices.map(({ number }) => number));
  const [row] = await db.select().from(subscriptions).where(eq(subscriptions.id, subId));
  const own = await db.select().from(projects).where(eq(projects.subId, subId));
  const paid = await db.select().from(checkouts).where(eq(checkouts.subId, subId));
  const isReceipt = and(eq(mailMessages.template, "receipt"), row && eq(mailMessages.userId, row.userId));
  const receipts = await db.select({ params: mailMessages.params }).from(mailMessages).where(isReceipt);
  const isEarned = and(inArray(earnings.invoiceId, ids), notInArray(earnings.state, ["reversed", "refused"]));
  const earned = await db.select({ amount: earnings.amount }).from(earnings).where(isEarned);
  return {
    row,
    projects: own,
    checkouts: paid.map(({ state }) => state),
    receipts: receipts.filter(({ params }) => numbers.has((params as { number: string }).number)).length,
    earned: earned.reduce((sum, { amount }) => sum + amount, 0),
  };
}

async function sumRefunds(stripe: Stripe, invoices: Stripe.Invoice[]): Promise<number> {
  let sum = 0;
  for (const { id } of invoices)
    for await (const { payment } of stripe.invoicePayments.list({ invoice: id as string }))
      for await (const refund of stripe.refunds.list({ payment_intent: String(payment.payment_intent) }))
        sum += refund.amount;
  return sum;
}
