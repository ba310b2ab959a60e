import { platform, record } from "../../activity/record.ts";
import type { Config } from "../../config/parseConfig.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { mailCustomer } from "../../mail/queueMail.ts";
import { findProjectOf } from "../../projects/queries.ts";
import type { Billing } from "../Billing.ts";
import { findOverdueSubscriptions } from "../queries.ts";

interface OverdueSubscription {
  id: string;
  userId: string;
  amount: number;
  currency: string;
  pastDueSince: Date;
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
 * Writes the reminder that is due: at once, in the middle of the grace period, and a day before the suspension. Returns
 * whether the debt is recorded for the first time.
 */
export async function remindOfPayment(
  tx: Tx,
  { GRACE_DAYS: graceDays }: Pick<Config, "GRACE_DAYS">,
  { id, userId, amount, currency, pastDueSince }: OverdueSubscription,
): Promise<boolean> {
  const project = await findProjectOf(tx, id);
  if (!project) return false;
  if (Date.now() > pastDueSince.getTime() + graceDays * dayMs) return false; // The site is suspended, which was told.
  const daysOverdue = (Date.now() - pastDueSince.getTime()) / dayMs;
  // A short grace period has room for one reminder only.
  const starts = graceDays >= 3 ? [0, graceDays / 2, graceDays - 1] : [0];
  const reminder = starts.filter((start) => daysOverdue >= start).length;
  const suspendsAt = new Date(pastDueSince.getTime() + graceDays * dayMs).toISOString();
  const params = { projectId: project.id, name: project.name, amount, currency, reminder, suspendsAt };
  const isNew = await record(tx, userId, platform, {
    kind: "paymentFailed",
    params: { project: project.name, amount, currency },
    projectId: project.id,
    key: `overdue ${id} ${pastDueSince.toISOString()}`,
  });
  // Unique, because the provider and our own job report the same debt again and again.
  await mailCustomer(tx, userId, "paymentFailed", params, `overdue ${id} ${pastDueSince.toISOString()} ${reminder}`);
  return isNew;
}
