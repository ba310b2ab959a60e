import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { askUpdates } from "../askUpdates.ts";
import type { SiteRow } from "../queries.ts";
import { requestUpdate } from "../requestUpdate.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { isIdle } from "../work.ts";

/** Enqueues the updates of plugins and themes that the owner of a site has made automatic. */
export async function updateAutomatically(wordpress: WordPress, site: SiteRow) {
  const { db, log } = wordpress;
  const found = await askUpdates(wordpress, siteOf(wordpress, site), { isOwn: true }).catch((error) => {
    log.warn({ err: error, project: site.id }, "could not look for the updates of a site");
    return undefined;
  });
  const due = found?.items.filter(({ is_automatic: isAutomatic }) => isAutomatic) ?? [];
  if (due.length === 0) return;
  const idsOf = (kind: "plugin" | "theme") => due.filter((item) => item.kind === kind).map(({ id }) => id);
  await db.transactionOf(site.userId, async (tx) => {
    await lockUser(tx, site.userId);
    if (!(await isIdle(tx, site.id))) return;
    await requestUpdate(tx, site.id, { plugins: idsOf("plugin"), themes: idsOf("theme") });
    await announceChange(tx, site.userId);
  });
}
