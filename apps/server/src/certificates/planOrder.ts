import { getDomain } from "tldts";
import type { Db } from "../db/connect.ts";
import type { Authority } from "./Authorities.ts";
import { orderLimits } from "./limits.ts";
import { countOrders, findOpenOrder, insertOrder, lockOrders, type OrderRow } from "./orderQueries.ts";

type Limit = (typeof orderLimits)[keyof typeof orderLimits];

interface Plan {
  order?: OrderRow;
  /** An earlier attempt was interrupted. */
  isResumed?: boolean;
  waitUntil?: Date;
}

/** The open order of a name, or a new one; the time of the next attempt if the authority's limits are reached. */
export async function planOrder(
  db: Db,
  name: string,
  { directory }: Pick<Authority, "directory">,
  { isRenewal = false, owner }: { isRenewal?: boolean; owner?: string | undefined } = {},
): Promise<Plan> {
  return db.transaction(async (tx) => {
    await lockOrders(tx);
    const open = await findOpenOrder(tx, name);
    if (open) return { order: open, isResumed: true };
    const registeredDomain = getDomain(name.replace("*.", ""), { allowPrivateDomains: true }) ?? name;
    const authority = directory;
    const failed = { authority, name, isFailed: true };
    const counts: [Parameters<typeof countOrders>[1], Limit][] = [
      [{ authority, name, isFailed: false }, orderLimits.ofName],
      [failed, orderLimits.failuresOfName],
      [failed, orderLimits.failuresOfNameDaily],
    ];
    if (owner) counts.push([{ owner, isFailed: true }, orderLimits.failuresOfCustomer]);
    // Authorities do not count renewals, and other names must not keep one waiting.
    if (!isRenewal)
      counts.push(
        [{ authority }, orderLimits.orders],
        [{ authority, registeredDomain, isFailed: false }, orderLimits.ofDomain],
        [{ authority, isFailed: true }, orderLimits.failures],
      );
    const counted = [];
    for (const [which, { count: limit, within }] of counts)
      counted.push({ ...(await countOrders(tx, which, within)), limit });
    const waits = counted.filter(({ count, limit }) => count >= limit).map(({ freeAt }) => freeAt.getTime());
    if (waits.length > 0) return { waitUntil: new Date(Math.max(...waits)) };
    return { order: await insertOrder(tx, { name, registeredDomain, authority }) };
  });
}
