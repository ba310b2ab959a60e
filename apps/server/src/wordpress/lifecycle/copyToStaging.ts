import { Readable } from "node:stream";
import { platform, record } from "../../activity/record.ts";
import { setProjectStatus } from "../../projects/queries.ts";
import { withSettings } from "../BackupStore.ts";
import { findStaging, findWordPress, updateWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { newSecrets } from "./newSecrets.ts";
import { replaceSite } from "./restoreSite.ts";

interface Request {
  projectId: string;
  /** of the work */
  id: string;
}

/**
 * Makes the staging copy of a site, or replaces it. It gets keys of its own, so that who may enter the copy cannot sign
 * cookies for the site.
 */
export async function copyToStaging(wordpress: WordPress, { projectId, id }: Request) {
  const { db, backups, runtimeOf, signal } = wordpress;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  const staging = await findStaging(db, projectId);
  // The project or its copy was deleted since.
  if (row.archivedAt || !staging) return setWork(db, row, null);
  const show = progressOf(db, row, work);
  const { core, runtime } = row;
  // What an interrupted attempt left.
  await backups.removeAll(staging.id);
  await backups.requireRoom(2 * row.diskUsed);
  const archive = withSettings(await runtimeOf(row).pack(siteOf(wordpress, row), signal), { secrets: newSecrets() });
  let size = 0;
  async function* counted() {
    for await (const chunk of archive) {
      size += chunk.length;
      // Half of a site's size is a guess.
      await show(Math.min(size / (row?.diskUsed || size), 1) / 2);
      yield chunk;
    }
  }
  const name = await backups.add(staging.id, Readable.from(counted()));
  // Until it is whole, it cannot be published.
  await setWork(db, row, { ...work, progress: 0.5 }, async (tx) => {
    await updateWordPress(tx, staging.id, { copiedAt: null });
  });
  await replaceSite(wordpress, siteOf(wordpress, { ...staging, core, runtime }), name);
  await backups.removeAll(staging.id);
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, staging.id, { core, runtime, copiedAt: new Date() });
    if (staging.status === "provisioning") await setProjectStatus(tx, staging.id, "active");
    await record(tx, row.userId, platform, { kind: "stagingMade", params: { project: row.name }, projectId });
  });
}
