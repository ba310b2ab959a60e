import { categoryOf } from "@nido/contract";
import { changePlan } from "@nido/server/billing/plans/changePlan";
import { quotePlanChange } from "@nido/server/billing/plans/quotePlanChange";
import { activity, projects } from "@nido/server/db/schema";
import { AppError } from "@nido/server/platform/AppError";
import { and, desc, eq } from "drizzle-orm";
import type { World } from "./openWorld.ts";
import { order } from "./order.ts";
import type { Plan, Purchase } from "./Purchase.ts";

interface Choice {
  /** which of the purchases, or of the buyers */
  target: number;
  /** which plan or amount */
  choice: number;
}

export interface MoneyAction {
  weight: number;
  /** Does it to the product or the provider, and to the model. Does nothing where it is not possible. */
  perform(world: World, choice: Choice): Promise<void>;
}

const maxOrders = 4;

/** Everything that can happen to money, with how often it happens. */
export const moneyActions: Record<string, MoneyAction> = {
  buy: { weight: 5, perform: (world, choice) => orderOne(world, choice, true) },

  abandon: { weight: 1, perform: (world, choice) => orderOne(world, choice, false) },

  renew: on(4, isRunning, async (world, purchase) => {
    await control(world, purchase, "endPeriod");
    purchase.endPeriod();
  }),

  fail: on(4, isRunning, async (world, purchase) => {
    await control(world, purchase, "failPeriod");
    purchase.isCardGood = false;
    purchase.endPeriod();
  }),

  pay: on(4, isRunning, async (world, purchase) => {
    await control(world, purchase, "pay");
    purchase.pay();
  }),

  giveUp: on(1, isOwed, async (world, purchase) => {
    await control(world, purchase, "giveUp");
    purchase.end();
  }),

  upgrade: on(2, isRunning, (world, purchase, choice) =>
    switchPlan(world, purchase, choice, (plan) => plan.amount > purchase.plan.amount),
  ),

  upgradeHere: on(3, isPaying, async (world, purchase, choice) => {
    const shown = await world.shown(purchase);
    if (shown?.project.status !== "active" || shown.subscription.cancel_at_period_end || purchase.endsWithPeriod)
      return;
    const plan = choose(
      otherPlans(world, purchase.plan).filter(({ amount }) => amount > purchase.plan.amount),
      choice,
    );
    if (!plan || shown.project.recipe !== purchase.plan.recipe) return;
    const { at } = await quotePlanChange(world.billing, shown.customer.id, shown.project.id, plan.id);
    const changed = await changePlan(world.billing, shown.customer.session, shown.project.id, { plan: plan.id, at });
    if (changed.state !== "changed") throw new Error("The card has not paid for the change of the plan");
    purchase.upgrade(plan);
  }),

  downgrade: on(2, isRunning, (world, purchase, choice) =>
    switchPlan(world, purchase, choice, (plan) => plan.amount < purchase.plan.amount),
  ),

  cancel: on(2, isAny, (world, purchase) => setRenewal(world, purchase, false)),

  resume: on(3, isAny, (world, purchase) => setRenewal(world, purchase, true)),

  cancelInPortal: on(1, isRunning, async (world, purchase) => {
    await clickInPortal(world, purchase, "cancel");
    purchase.endsWithPeriod = true;
  }),

  // The product cancels a deleted one again, as soon as it knows.
  resumeInPortal: on(1, isKept, async (world, purchase) => {
    await clickInPortal(world, purchase, "resume");
    purchase.endsWithPeriod = false;
  }),

  refund: on(3, hasPaid, async ({ stripe }, purchase, choice) => {
    const index = choice % purchase.payments.length;
    const payment = purchase.payments[index];
    // The bank has the money of a disputed one, and a purchase without a project is refunded by itself.
    if (payment?.dispute || (purchase.isRefused && index === 0)) return;
    const left = payment ? payment.total - payment.refunded : 0;
    const { data } = await stripe.invoices.list({ subscription: purchase.subId, status: "paid", limit: 100 });
    const [paid] = (await stripe.invoicePayments.list({ invoice: data.reverse()[index]?.id as string })).data;
    if (!payment || left === 0) return;
    const amount = choice > 7 ? left : Math.ceil(left / 3);
    await stripe.refunds.create({ payment_intent: String(paid?.payment.payment_intent), amount });
    payment.refunded += amount;
  }),

  dispute: on(2, isDisputable, async (world, purchase) => {
    if (!(await world.isKnown(purchase))) return;
    await control(world, purchase, "dispute");
    setDispute(purchase, "open");
  }),

  win: on(1, isInDispute, async (world, purchase) => {
    await control(world, purchase, "winDispute");
    setDispute(purchase, "won");
  }),

  // The product ends a lost purchase as soon as it knows, and what happens before that depends on when.
  lose: on(1, isInDispute, async (world, purchase) => {
    await control(world, purchase, "loseDispute");
    setDispute(purchase, "lost");
    await world.deliverNew("once");
    await world.work();
    purchase.decision = "delete";
    for (const each of world.purchases) each.tellProvider();
  }),

  delete: on(2, isAny, async (world, purchase) => {
    const shown = await world.shown(purchase);
    if (!shown) return;
    await world.act(shown.customer.session, "DELETE_PROJECT", { id: shown.project.id });
    purchase.isDeleted = true;
    purchase.wasToEnd = shown.subscription.cancel_at_period_end;
    purchase.decision = "delete";
  }),

  // Only a static site: the archive of a WordPress is not made here.
  takeBack: on(3, isStaticAndDeleted, async (world, purchase) => {
    const customer = await world.customerOf(purchase);
    const [entry] = await world.db
      .select({ id: activity.id })
      .from(activity)
      .innerJoin(projects, eq(projects.id, activity.projectId))
      .where(and(eq(projects.subId, purchase.subId), eq(activity.kind, "projectDeleted")))
      .orderBy(desc(activity.id));
    if (!customer || !entry) return;
    // The product refuses to take back what it believes to be over or owed, and then needs a new payment.
    const isTaken = await world.act(customer.session, "UNDO", { activity_id: entry.id }).then(
      () => true,
      (error) => {
        if (error instanceof AppError && error.key === "error_undo_payment") return false;
        throw error;
      },
    );
    if (!isTaken) return;
    purchase.isDeleted = false;
    purchase.decision = purchase.wasToEnd ? "delete" : "renew";
  }),

  deliverAgain: { weight: 1, perform: (world) => world.deliverAgain() },
};

/** An action on one purchase of those for which it is possible. */
function on(
  weight: number,
  isPossible: (purchase: Purchase) => boolean,
  perform: (world: World, purchase: Purchase, choice: number) => Promise<void>,
): MoneyAction {
  return {
    weight,
    perform: async (world, { target, choice }) => {
      const purchase = world.purchases[target % world.purchases.length];
      if (!purchase || !isPossible(purchase)) return;
      const wasKnown = purchase.hasEnded || (await world.isKnown(purchase));
      await perform(world, purchase, choice);
      if (purchase.hasEnded && !wasKnown) purchase.isRefused = true;
    },
  };
}

function isAny(): boolean {
  return true;
}

function isRunning({ hasEnded }: Purchase): boolean {
  return !hasEnded;
}

function isKept({ hasEnded, isDeleted, payments }: Purchase): boolean {
  return !hasEnded && !isDeleted && payments.every(({ dispute }) => dispute !== "lost");
}

/** The latest period is paid, and will be renewed. */
function isPaying({ hasEnded, isDeleted, owed, isCardGood, endsWithPeriod }: Purchase): boolean {
  return !hasEnded && !isDeleted && !owed && isCardGood && !endsWithPeriod;
}

/** The bank disputes only the payment of the latest invoice. */
function isDisputable(purchase: Purchase): boolean {
  const last = purchase.payments.at(-1);
  if (purchase.hasEnded || purchase.owed || !last || last.dispute) return false;
  return last.refunded < last.total;
}

function isInDispute({ hasEnded, owed, payments }: Purchase): boolean {
  return !hasEnded && !owed && payments.at(-1)?.dispute === "open";
}

function setDispute({ payments }: Purchase, dispute: "open" | "won" | "lost") {
  const last = payments.at(-1);
  if (last) last.dispute = dispute;
}

function isStaticAndDeleted({ plan, isDeleted }: Purchase): boolean {
  return isDeleted && plan.recipe === "static_starter";
}

function isOwed({ hasEnded, owed }: Purchase): boolean {
  return !hasEnded && owed !== undefined;
}

function hasPaid({ payments }: Purchase): boolean {
  return payments.length > 0;
}

async function orderOne(world: World, { target, choice }: Choice, isPaid: boolean) {
  const { buyers, plans, orders } = world;
  const buyer = buyers[target % buyers.length];
  const plan = plans[choice % plans.length];
  if (!buyer || !plan || orders.length >= maxOrders) return;
  await order(world, buyer, plan, { isReferred: isPaid && choice > 4 && buyer.hasPromotion, isPaid });
}

function control(world: World, { subId }: Purchase, action: string) {
  return world.click(`/stripe/subscription/${subId}`, { action });
}

/** As the provider's portal does it, with effect from the next period. */
async function switchPlan(world: World, purchase: Purchase, choice: number, isMeant: (plan: Plan) => boolean) {
  const { stripe } = world;
  const plan = choose(otherPlans(world, purchase.plan).filter(isMeant), choice);
  if (!plan) return;
  const { items } = await stripe.subscriptions.retrieve(purchase.subId);
  const change = { id: items.data[0]?.id as string, price: plan.id };
  await stripe.subscriptions.update(purchase.subId, { items: [change], proration_behavior: "none" });
  purchase.setPlan(plan);
}

/** Another interval would begin a new period at once. */
function otherPlans({ plans }: World, { recipe, interval }: Plan): Plan[] {
  return plans.filter((plan) => plan.interval === interval && categoryOf(plan.recipe) === categoryOf(recipe));
}

function choose(plans: Plan[], choice: number): Plan | undefined {
  return plans[choice % plans.length];
}

/** The dashboard offers only what differs from what it shows, and nothing while it shows a debt. */
async function setRenewal(world: World, purchase: Purchase, renews: boolean) {
  const shown = await world.shown(purchase);
  if (!shown || shown.subscription.past_due || shown.subscription.cancel_at_period_end === !renews) return;
  if (renews && shown.subscription.dispute) return;
  await world.act(shown.customer.session, "SET_RENEWAL", { project_id: shown.project.id, renews });
  purchase.decision = renews ? "renew" : "end";
}

async function clickInPortal(world: World, { subId }: Purchase, action: "cancel" | "resume") {
  const { customer } = await world.stripe.subscriptions.retrieve(subId);
  const { url } = await world.stripe.billingPortal.sessions.create({ customer: String(customer) });
  await world.click(new URL(url).pathname, { action, subscription: subId });
}
