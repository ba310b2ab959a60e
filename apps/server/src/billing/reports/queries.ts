import { inArray, isNotNull, sql } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { earnings, subscriptions, users } from "../../db/schema.ts";

export async function findAllSubscriptions(db: Db) {
  return db.select().from(subscriptions);
}

/** The ids that customers have at the provider. */
export async function findProviderIds(db: Db): Promise<Set<string>> {
  const rows = await db.select({ id: users.providerId }).from(users).where(isNotNull(users.providerId));
  return new Set(rows.flatMap(({ id }) => id ?? []));
}

/** What is owed to referrers by currency: not requested yet, and requested but not paid out. */
export async function sumReferralDebt(db: Db) {
  const sumOf = (state: string) =>
    sql<number>`coalesce(sum(${earnings.amount}) filter (where ${earnings.state} = ${state}), 0)::int`;
  return db
    .select({ currency: earnings.currency, pending: sumOf("pending"), requested: sumOf("requested") })
    .from(earnings)
    .where(inArray(earnings.state, ["pending", "requested"]))
    .groupBy(earnings.currency);
}
