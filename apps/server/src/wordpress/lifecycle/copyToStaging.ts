import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import type { RestoreParts } from "@nido/contract";
import { platform, record } from "../../activity/record.ts";
import { endOfTar, tarFile } from "../../platform/filterTar.ts";
import { setProjectStatus } from "../../projects/queries.ts";
import { entriesOf, passThrough, settingsName } from "../BackupStore.ts";
import { findBackupRow } from "../backupRows.ts";
import { findStaging, findWordPress, type SiteRow, updateWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { newSecrets } from "./newSecrets.ts";
import { coreFor, isOfParts } from "./partsOfBackup.ts";
import { chooseRuntime, replaceSite } from "./restoreSite.ts";

interface Request {
  projectId: string;
  /** of the work */
  id: string;
  /** of which parts are taken; the others are those of the site */
  backup?: string | undefined;
  parts?: RestoreParts | undefined;
}

/**
 * Makes the staging copy of a site or of a backup, or replaces it. It gets keys of its own, so that who may enter the copy cannot sign
 * cookies for the site.
 */
export async function copyToStaging(wordpress: WordPress, request: Request) {
  const { db, backups } = wordpress;
  const { projectId, id, backup, parts = "all" } = request;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  const staging = await findStaging(db, projectId);
  // The project or its copy was deleted since.
  if (row.archivedAt || !staging) return setWork(db, row, null);
  const show = progressOf(db, row, work);
  const from = backup ? await findBackupRow(db, projectId, backup) : undefined;
  const wanted = coreFor(row.core, parts, from?.core);
  const { core, runtime } = (await chooseRuntime(wordpress, { ...row, core: wanted })).site;
  // What an interrupted attempt left.
  await backups.removeAll(staging.id);
  await backups.requireRoom(2 * (row.diskUsed + (from?.size ?? 0)));
  const archive = passThrough(Readable.from(entriesFor(wordpress, row, request)), createGzip({ level: 1 }));
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
  await replaceSite(wordpress, siteOf(wordpress, { ...staging, core, php: row.php, runtime }), name);
  await backups.removeAll(staging.id);
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, staging.id, { core, php: row.php, runtime, copiedAt: new Date() });
    if (staging.status === "provisioning") await setProjectStatus(tx, staging.id, "active");
    await record(tx, row.userId, platform, { kind: "stagingMade", params: { project: row.name }, projectId });
  });
}

async function* entriesFor(wordpress: WordPress, row: SiteRow, { backup, parts = "all" }: Request) {
  const isFromBackup = (path: string) => backup !== undefined && isOfParts(parts, path);
  if (backup) yield* entriesOf(await wordpress.backups.open(row.id, backup).stream(), isFromBackup);
  if (!backup || parts !== "all") {
    const site = await wordpress.runtimeOf(row).pack(siteOf(wordpress, row), wordpress.signal);
    yield* entriesOf(site, (path) => path !== settingsName && !isFromBackup(path));
  }
  yield tarFile(settingsName, JSON.stringify({ secrets: newSecrets() }));
  yield endOfTar;
}
