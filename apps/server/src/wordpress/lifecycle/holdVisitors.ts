import { setTimeout as pause } from "node:timers/promises";
import type { StoredWork } from "../../db/schema.ts";
import { type SiteRow, updateWordPress } from "../queries.ts";
import type { WordPress } from "../WordPress.ts";
import { setWork } from "../work.ts";

/** Longer than every edge needs to learn that PHP runs for no visitor. */
export const noticeMs = 3000;

/**
 * Before a site changes its WordPress version: a visitor's request would start PHP with the old version, which ends the
 * PHP with the new one. Cached pages are served meanwhile. What ends the work ends this, too. Returns the work.
 */
export async function holdVisitors({ db }: WordPress, row: SiteRow, work: StoredWork): Promise<StoredWork> {
  const held = { ...work, holdsVisitors: true };
  if (work.holdsVisitors) return held;
  await setWork(db, row, held, (tx) => updateWordPress(tx, row.id, { isMoving: true }));
  await pause(noticeMs);
  return held;
}
