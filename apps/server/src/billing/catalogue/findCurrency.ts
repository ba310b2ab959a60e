import { and, eq, isNull } from "drizzle-orm";
import type { Db } from "../../db/connect.ts";
import { subscriptions } from "../../db/schema.ts";

/** The currency of a customer's running subscriptions: the provider allows only one. Undefined without any. */
export async function findCurrency(db: Db, userId: string): Promise<string | undefined> {
  const [row] = await db
    .select({ currency: subscriptions.currency })
    .from(subscriptions)
    .where(and(eq(subscriptions.userId, userId), isNull(subscriptions.endedAt)))
    .limit(1);
  return row?.currency;
}
