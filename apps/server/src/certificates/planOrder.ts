import { getDomain } from "tldts";
import type { Db } from "../db/connect.ts";
import type { Authority } from "./Authorities.ts";
import { orderLimits } from "./limits.ts";
import { countOrders, findOpenOrder, insertOrder, lockOrders, type OrderRow } from "./orderQueries.ts";

interface Plan {
  order?: OrderRow;
  /** An earlier attempt was interrupted. */
  isResumed?: boolean;
  waitUntil?: Date;
}

/** The open order of a name, or a new one; the time of the next attempt if the authority's limits are reached. */
export async function planOrder(db: Db, name: string, { directory }: Authority): Promise<Plan> {
  return db.transaction(async (tx) => {
    await lockOrders(tx);
    const open = await findOpenOrder(tx, name);
    if (open) return { order: open, isResumed: true };
    const registeredDomain = getDomain(name.replace("*.", "")) ?? name;
    const authority = directory;
    const { orders, ofDomain, ofName, failures } = orderLimits;
    const counted = [
      { ...(await countOrders(tx, { authority }, orders.within)), limit: orders.count },
      {
        ...(await countOrders(tx, { authority, registeredDomain, isFailed: false }, ofDomain.within)),
        limit: ofDomain.count,
      },
      { ...(await countOrders(tx, { authority, name, isFailed: false }, ofName.within)), limit: ofName.count },
      { ...(await countOrders(tx, { authority, isFailed: true }, failures.within)), limit: failures.count },
    ];
    const waits = counted.filter(({ count, limit }) => count >= limit).map(({ freeAt }) => freeAt.getTime());
    if (waits.length > 0) return { waitUntil: new Date(Math.max(...waits)) };
    return { order: await insertOrder(tx, { name, registeredDomain, authority }) };
  });
}
