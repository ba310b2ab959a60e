import { platform, record } from "../../activity/record.ts";
import type { Config } from "../../config/parseConfig.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { findProjectOf } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueSubscriptions } from "../queries.ts";
import type { PaymentStep } from "./findPaymentStep.ts";

interface OverdueSubscription {
  id: string;
  userId: string;
  amount: number;
  currency: string;
  pastDueSince: Date | null;
  owedAmount: number | null;
  payUrl: string | null;
  paymentStep: PaymentStep | null;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Writes the reminders that are due. */
export async function remindOverdue({ db, config }: Billing) {
  for (const subscription of await findOverdueSubscriptions(db))
    await db.transaction(async (tx) => {
      if (await remindOfPayment(tx, config, subscription)) await announceChange(tx, subscription.userId);
    });
}

/**
 * Writes the reminder that is due: at once, after one third and after five sixths of the grace period. Returns whether
 * the debt is recorded for the first time.
 */
export async function remindOfPayment(
  tx: Tx,
  { GRACE_DAYS: graceDays }: Pick<Config, "GRACE_DAYS">,
  { id, userId, currency, pastDueSince, payUrl, paymentStep, ...subscription }: OverdueSubscription,
): Promise<boolean> {
  const project = await findProjectOf(tx, id);
  if (!project || !pastDueSince || paymentStep === "processing") return false;
  if (Date.now() > pastDueSince.getTime() + graceDays * dayMs) return false; // The site is suspended, which was told.
  const daysOverdue = (Date.now() - pastDueSince.getTime()) / dayMs;
  // A short grace period has room for one reminder only.
  const starts = graceDays >= 3 ? [0, graceDays / 3, (graceDays * 5) / 6] : [0];
  const reminder = starts.filter((start) => daysOverdue >= start).length;
  const suspendsAt = new Date(pastDueSince.getTime() + graceDays * dayMs).toISOString();
  const amount = subscription.owedAmount ?? subscription.amount;
  const asks = paymentStep === "confirm";
  const params = {
    projectId: project.id,
    name: project.name,
    amount,
    currency,
    reminder,
    suspendsAt,
    asks,
    url: payUrl,
  };
  // A payment that was declined before may now need a confirmation, which is another thing to do.
  const key = `overdue ${id} ${pastDueSince.toISOString()}${asks ? " confirm" : ""}`;
  const isNew = await record(tx, userId, platform, {
    kind: asks ? "paymentUnconfirmed" : "paymentFailed",
    params: { project: project.name, amount, currency },
    projectId: project.id,
    key,
  });
  // Unique, because the provider and our own job report the same debt again and again.
  await mailCustomer(tx, userId, "paymentFailed", params, `${key} ${reminder}`);
  return isNew;
}
