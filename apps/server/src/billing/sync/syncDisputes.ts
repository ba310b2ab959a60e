import type { Stripe } from "stripe";
import { lockUser } from "../../account/queries.ts";
import { platform, record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { mailCustomer, mailOperator } from "../../mail/queueMail.ts";
import { findProjectOf } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { requestUpdate } from "../cancelSubscription.ts";
import { saveDispute } from "../disputes.ts";
import { takeCreditJob } from "../jobs.ts";
import { findPayer, findSubscription, updateSubscription } from "../queries.ts";
import { type Payment, stateOf } from "../readPayments.ts";
import { resume } from "./resume.ts";
import { suspendDisputed } from "./suspendDisputed.ts";

type Subscription = NonNullable<Awaited<ReturnType<typeof findSubscription>>>;

const dayMs = 24 * 60 * 60 * 1000;

/**
 * Records the disputes of an invoice's payments. What follows from one happens when its state changes, whichever events
 * were lost and in whatever order they came.
 */
export async function syncDisputes(billing: Billing, subId: string, invoiceId: string, payments: Payment[]) {
  for (const dispute of payments.flatMap((payment) => payment.disputes))
    await billing.db.transaction(async (tx) => {
      const owner = await findSubscription(tx, subId);
      if (!owner) return billing.log.warn({ subId, dispute: dispute.id }, "a payment for no project is disputed");
      await lockUser(tx, owner.userId);
      const subscription = await findSubscription(tx, subId);
      if (subscription) await syncDispute(tx, billing, subscription, invoiceId, dispute);
    });
}

async function syncDispute(
  tx: Tx,
  { config }: Billing,
  subscription: Subscription,
  invoiceId: string,
  dispute: Stripe.Dispute,
) {
  const { id: subId, userId } = subscription;
  const { id, amount, currency, reason, evidence_details: evidence } = dispute;
  const state = stateOf(dispute);
  const createdAt = new Date(dispute.created * 1000);
  const known = await saveDispute(tx, { id, subId, invoiceId, amount, currency, reason, state, createdAt });
  if (known === state) return;

  if (state === "open") await suspendDisputed(tx, subscription, dispute);
  if (state === "lost") await endLost(tx, subscription, dispute);
  if (state === "won" && !isOverdue(subscription, config.GRACE_DAYS)) await resume(tx, config, subId, "disputeWon");
  const name = (await findProjectOf(tx, subId))?.name ?? null;
  const dueBy = state === "open" && evidence.due_by ? new Date(evidence.due_by * 1000).toISOString() : null;
  await mailOperator(tx, config, "operatorDispute", { id, name, subId, amount, currency, reason, state, dueBy });
  await announceChange(tx, userId);
}

/** The customer has the money back. The site stays suspended, and nothing more is charged for it. */
async function endLost(tx: Tx, subscription: Subscription, dispute: Stripe.Dispute) {
  const { id: subId, userId, endedAt, cancelAtPeriodEnd } = subscription;
  const project = await suspendDisputed(tx, subscription, dispute, { isTold: false });
  if (!endedAt && !cancelAtPeriodEnd) {
    await updateSubscription(tx, subId, { cancelAtPeriodEnd: true });
    await requestUpdate(tx, subId, "withPeriod");
  }
  await enqueue(tx, takeCreditJob, { disputeId: dispute.id }, await findPayer(tx, subId));
  if (!project) return;
  const { id: projectId, name } = project;
  await record(tx, userId, platform, { kind: "disputeLost", params: { project: name }, projectId });
  await mailCustomer(tx, userId, "disputeLost", { projectId, name });
}

/** Whether the site is suspended for an overdue payment, too. */
function isOverdue({ pastDueSince }: Subscription, graceDays: number): boolean {
  return pastDueSince !== null && Date.now() > pastDueSince.getTime() + graceDays * dayMs;
}
