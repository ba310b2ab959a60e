import { rm } from "node:fs/promises";
import { Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { platform, record } from "../../activity/record.ts";
import { endOfTar, tarFile } from "../../platform/filterTar.ts";
import { setProjectStatus } from "../../projects/queries.ts";
import { entriesOf, passThrough, settingsName } from "../BackupStore.ts";
import { finishImport, importDump } from "../lifecycle/importDump.ts";
import { newSecrets } from "../lifecycle/newSecrets.ts";
import { replaceSite } from "../lifecycle/restoreSite.ts";
import { findStaging, findWordPress, updateWordPress } from "../queries.ts";
import { siteOf, type WordPress } from "../WordPress.ts";
import { findWork, progressOf, setWork } from "../work.ts";
import { maxUnpacked } from "./inspectMoveIn.ts";
import { findMoveIn, recordReport, removeMoveIn } from "./moveInRows.ts";
import { extractDump, packMoveIn } from "./packMoveIn.ts";
import { planMoveIn } from "./planMoveIn.ts";

interface Request {
  projectId: string;
  /** of the work */
  id: string;
}

/** The parts of the whole that packing and unpacking take. */
const [packed, unpacked] = [0.2, 0.4];

/**
 * Makes the staging copy of a site from the archive of another WordPress. The site itself stays as it is until its owner
 * has looked at the copy and pushes it.
 */
export async function moveIn(wordpress: WordPress, { projectId, id }: Request) {
  const { db, backups, uploads } = wordpress;
  const row = await findWordPress(db, projectId);
  const work = await findWork(db, projectId);
  // Otherwise it was done before, or replaced by another request.
  if (!row || work?.id !== id) return;
  const [staging, upload] = [await findStaging(db, projectId), await findMoveIn(db, projectId)];
  // The project, its copy or the upload was deleted since.
  if (row.archivedAt || !staging || !upload?.report) return setWork(db, row, null);
  const show = progressOf(db, row, work);
  const { core, php, runtime } = row;
  const site = siteOf(wordpress, { ...staging, core, php, runtime });
  await backups.removeAll(staging.id);
  const archive = await uploads.assemble(upload.id, upload.parts, upload.size);
  const dump = `${archive}.sql`;
  const maxBytes = maxUnpacked(row);
  let failed: string[] = [];
  try {
    const plan = await planMoveIn(archive, maxBytes);
    const { bytes = 0 } = plan.database ?? {};
    await uploads.requireRoom(bytes);
    await backups.requireRoom(plan.bytes + bytes);
    await extractDump(archive, plan, dump, maxBytes);
    const own = () => wordpress.runtimeOf(row).pack(siteOf(wordpress, row), wordpress.signal);
    const name = await backups.add(staging.id, compress(packMoveIn({ archive, plan, dump, maxBytes }), own));
    await show(packed);
    await setWork(db, row, { ...work, progress: packed }, (tx) =>
      // Nobody else changes it meanwhile, neither visitors nor WP-Cron.
      updateWordPress(tx, staging.id, { copiedAt: null, isMoving: true }),
    );
    await replaceSite(wordpress, site, name);
    await show(unpacked);
    const imported = await importDump(wordpress, site, { prefix: plan.database?.prefix ?? "" }, (place) =>
      show(unpacked + (1 - unpacked) * Math.min(place / bytes, 1)),
    );
    const missing = ["options", "posts", "users", "usermeta"].filter((name) => !imported.tables.has(`wp_${name}`));
    if (missing.length > 0) throw new Error(`the imported dump has not created ${missing.join(", ")}`);
    failed = [...imported.failed];
    await finishImport(wordpress, site);
  } finally {
    await db.transaction((tx) => updateWordPress(tx, staging.id, { isMoving: false }));
    for (const file of [archive, dump]) await rm(file, { force: true });
    await backups.removeAll(staging.id);
  }
  await setWork(db, row, null, async (tx) => {
    await updateWordPress(tx, staging.id, { core, php, runtime, copiedAt: new Date() });
    if (failed.length > 0 && upload.report)
      await recordReport(tx, upload.id, { report: { ...upload.report, failed }, prefix: upload.prefix ?? "" });
    else await removeMoveIn(tx, projectId);
    if (staging.status === "provisioning") await setProjectStatus(tx, staging.id, "active");
    await record(tx, row.userId, platform, { kind: "siteMovedIn", params: { project: row.name }, projectId });
  });
  if (failed.length === 0) await uploads.remove(upload.id);
}

/** The imported files with the rest of the site's own backup, and with keys of its own. */
function compress(imported: AsyncIterable<Buffer>, own: () => Promise<Readable>): Readable {
  async function* whole() {
    yield* imported;
    // The embedded runtime keeps the driver of its database there.
    yield* entriesOf(await own(), (path) => path === "wp-content/db.php" || !/^(wp-content\/|site\.json$)/.test(path));
    yield tarFile(settingsName, JSON.stringify({ secrets: newSecrets() }));
    yield endOfTar;
  }
  return passThrough(Readable.from(whole()), createGzip({ level: 1 }));
}
