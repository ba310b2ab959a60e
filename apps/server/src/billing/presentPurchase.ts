import type { PendingPurchase } from "@nido/contract";
import type { checkouts } from "../db/schema.ts";

export type PurchaseRow = Pick<typeof checkouts.$inferSelect, "id" | "name" | "recipe" | "taskId"> & { since: string };

/** The purchase with its id, as an entry of the state. */
export function presentPurchase({ id, name, recipe, since, taskId }: PurchaseRow): [string, PendingPurchase] {
  return [id, { name, recipe, since: new Date(since).toISOString(), ...(taskId && { task_id: taskId }) }];
}
