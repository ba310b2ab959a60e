import { lockUser } from "../../account/queries.ts";
import { announceChange } from "../../db/announceChange.ts";
import { askUpdates } from "../askUpdates.ts";
import { findWordPress, type SiteRow } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, isIdle, startWork } from "../work.ts";
import { updateOwnSite } from "./updateOwnSite.ts";

/** The id of the work. There is one such job for each site. */
export const ownRequest = "by itself";

/** Updates a site to a new WordPress, or the plugins and themes whose updates its owner has made automatic. */
export async function updateByItself(
  wordpress: WordPress,
  { projectId, core }: { projectId: string; core?: string | undefined },
  isLastAttempt: boolean,
) {
  const row = await findWordPress(wordpress.db, projectId);
  if (!row || row.archivedAt || row.status !== "active") return;
  const { plugins, themes } = core ? { plugins: [], themes: [] } : await findAutomatic(wordpress, row);
  if (!core && plugins.length + themes.length === 0) return;
  if (!(await begin(wordpress, row))) return;
  await updateOwnSite(wordpress, { projectId, id: ownRequest, core, plugins, themes }, isLastAttempt);
}

async function findAutomatic(wordpress: WordPress, row: SiteRow) {
  const { items } = await askUpdates(wordpress, siteOf(wordpress, row), { isOwn: true });
  const due = items.filter(
    ({ id, new_version: version, is_automatic: isAutomatic }) =>
      isAutomatic && !row.refusedUpdates.includes(`${id} ${version}`),
  );
  const idsOf = (kind: "plugin" | "theme") => due.filter((item) => item.kind === kind).map(({ id }) => id);
  return { plugins: idsOf("plugin"), themes: idsOf("theme") };
}

/** False if its owner is doing something else. A repeated attempt goes on with what the first began. */
async function begin({ db }: WordPress, { id, userId }: SiteRow): Promise<boolean> {
  return db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const work = await findWork(tx, id);
    if (work?.id === ownRequest && !work.has_failed) return true;
    if (!(await isIdle(tx, id))) return false;
    await startWork(tx, id, { id: ownRequest, kind: "update", progress: 0 });
    await announceChange(tx, userId);
    return true;
  });
}
