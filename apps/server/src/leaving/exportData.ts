import { Readable, Transform } from "node:stream";
import { categoryOf, mainBranch } from "@nido/contract";
import type { Stripe } from "stripe";
import { ZipFile } from "yazl";
import { presentUser } from "../account/presentUser.ts";
import { findUser } from "../account/queries.ts";
import { findPage } from "../activity/queries.ts";
import type { Billing } from "../billing/Billing.ts";
import type { SessionLocks } from "../db/SessionLocks.ts";
import { blobKey } from "../deploys/blobs/BlobStore.ts";
import type { Deploys } from "../deploys/Deploys.ts";
import { findFiles, findShown } from "../deploys/queries.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { loadState } from "../state/loadState.ts";
import { isUnsaved } from "../wordpress/dueSites.ts";
import { siteLock } from "../wordpress/siteLock.ts";
import { backUpSite } from "../wordpress/upkeep/backups.ts";
import type { WordPress } from "../wordpress/WordPress.ts";
import type { ExportStore } from "./ExportStore.ts";
import { type ExportRow, findAllProjects, findExport, findRecords, updateExport } from "./queries.ts";
import { readMe } from "./readMe.ts";

export interface Exporting {
  billing: Billing;
  wordpress: WordPress;
  deploys: Deploys;
  exports: ExportStore;
  locks: SessionLocks;
}

/** One file of an archive; its content is opened when its turn comes. */
interface Part {
  path: string;
  open(): Promise<Readable>;
}

const activityPage = 1000;

/** Makes the archive of everything that a customer has here. Interrupted, it begins again. */
export async function exportData(exporting: Exporting, userId: string, isLastAttempt: boolean) {
  const { db } = exporting.deploys;
  const row = await findExport(db, userId);
  if (row?.state !== "running") return;
  try {
    const size = await write(exporting, row);
    await db.transaction(async (tx) => {
      await updateExport(tx, row.id, { state: "ready", progress: 100, size });
      await mailCustomer(tx, userId, "exportReady", { until: row.expiresAt.toISOString() });
    });
  } catch (error) {
    if (isLastAttempt) await updateExport(db, row.id, { state: "failed" });
    throw error;
  }
}

/** Returns the size of the archive. */
async function write(exporting: Exporting, { id, userId }: ExportRow): Promise<number> {
  const { db } = exporting.deploys;
  const parts = [...(await records(exporting, userId)), ...(await sites(exporting, userId))];
  let shown = 0;
  const showProgress = async (percent: number) => {
    if (percent === shown) return;
    shown = percent;
    await updateExport(db, id, { progress: percent });
  };
  const zip = new ZipFile();
  let isOver = false;
  let current: Readable | undefined;
  for (const [index, { path, open }] of parts.entries())
    zip.addReadStreamLazy(path, { compress: !path.endsWith(".gz") }, (deliver) => {
      if (isOver) return;
      showProgress(Math.floor((100 * index) / parts.length))
        .then(open)
        .then(
          (stream) => {
            current = stream;
            deliver(null, stream);
          },
          (error) => zip.emit("error", error),
        );
    });
  zip.end();

  let size = 0;
  const counted = new Transform({
    transform(chunk, _encoding, next) {
      size += chunk.length;
      next(null, chunk);
    },
  });
  zip.on("error", (error) => counted.destroy(error));
  try {
    await exporting.exports.add(id, (zip.outputStream as Readable).pipe(counted));
    return size;
  } finally {
    isOver = true;
    current?.destroy();
  }
}

/** The tables, as JSON. */
async function records({ billing, deploys: { db, sites: addresses } }: Exporting, userId: string): Promise<Part[]> {
  const user = await findUser(db, userId);
  const state = await loadState(db, userId, addresses);
  if (!user || !state) throw new Error(`there is no customer ${userId}`);
  const { sessions, passkeys, tokens, ...rest } = await findRecords(db, userId);
  const archived = (await findAllProjects(db, userId)).filter(({ archivedAt }) => archivedAt);
  const content = {
    account: { ...presentUser(user), sessions, passkeys, tokens },
    projects: { active: Object.values(state.projects), deleted: archived },
    ...rest,
    invoices: user.providerId ? await invoices(billing, user.providerId) : [],
    activity: await wholeActivity({ db }, userId),
  };
  const files = Object.entries(content).map(([name, value]) => ({
    path: `${name}.json`,
    open: async () => Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]),
  }));
  const introduction = { path: readMe[user.lang].path, open: async () => Readable.from([readMe[user.lang].text]) };
  return [introduction, ...files];
}

async function wholeActivity({ db }: Pick<Deploys, "db">, userId: string) {
  const entries = [];
  let before: number | undefined;
  for (;;) {
    const page = await findPage(db, userId, { before, limit: activityPage });
    entries.push(...page.map(({ undo: _undo, isUndone: _isUndone, ...entry }) => entry));
    before = page.at(-1)?.id;
    if (page.length < activityPage) return entries;
  }
}

async function invoices({ stripe }: Billing, customer: string) {
  const found: Partial<Stripe.Invoice>[] = [];
  for await (const invoice of stripe.invoices.list({ customer, limit: 100 })) {
    const { id, number, status, currency, total, amount_paid, created, hosted_invoice_url, invoice_pdf } = invoice;
    found.push({ id, number, status, currency, total, amount_paid, created, hosted_invoice_url, invoice_pdf });
  }
  return found;
}

/** The content of the sites: of a WordPress its files and database, of a static site what it shows. */
async function sites({ wordpress, deploys, locks }: Exporting, userId: string): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { id, name, recipe, archivedAt } of await findAllProjects(deploys.db, userId)) {
    if (categoryOf(recipe) === "wordpress") {
      // A site that has not changed since its last backup needs no new one.
      if (!archivedAt && (await isUnsaved(deploys.db, id)))
        await locks.run(siteLock(id), () => backUpSite(wordpress, id));
      const [latest] = await wordpress.backups.list(id);
      if (latest)
        parts.push({ path: `sites/${name}/wordpress.tar.gz`, open: () => wordpress.backups.open(id, latest).stream() });
      continue;
    }
    const shown = await deploys.db.transaction((tx) => findShown(tx, id, mainBranch));
    for (const [path, sha256] of shown ? await findFiles(deploys.db, shown) : [])
      parts.push({ path: `sites/${name}/${path}`, open: () => deploys.store.read(blobKey(userId, sha256)) });
  }
  return parts;
}
