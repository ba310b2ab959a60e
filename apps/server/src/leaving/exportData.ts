import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { categoryOf, mainBranch } from "@nido/contract";
import type { Stripe } from "stripe";
import { presentUser } from "../account/presentUser.ts";
import { findUser } from "../account/queries.ts";
import { findPage } from "../activity/queries.ts";
import type { Billing } from "../billing/Billing.ts";
import type { Db } from "../db/connect.ts";
import type { SessionLocks } from "../db/SessionLocks.ts";
import { blobKey } from "../deploys/blobs/BlobStore.ts";
import { findBranch } from "../deploys/branches.ts";
import type { Deploys } from "../deploys/Deploys.ts";
import { findFiles } from "../deploys/queries.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { loadState } from "../state/loadState.ts";
import { hasChanged } from "../wordpress/dueSites.ts";
import { siteLock } from "../wordpress/siteLock.ts";
import { backUpSite } from "../wordpress/upkeep/backups.ts";
import type { WordPress } from "../wordpress/WordPress.ts";
import type { ExportStore } from "./ExportStore.ts";
import { type ExportRow, findAllProjects, findExport, findRecords, updateExport } from "./queries.ts";
import { readMe } from "./readMe.ts";
import { type Part, zipOf } from "./zipOf.ts";

export interface Exporting {
  billing: Billing;
  wordpress: WordPress;
  deploys: Deploys;
  exports: ExportStore;
  locks: SessionLocks;
}

type ProjectRow = Awaited<ReturnType<typeof findAllProjects>>[number];

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
  const { exports, deploys } = exporting;
  const projects = await findAllProjects(deploys.db, userId);
  await exports.requireRoom(projects.reduce((sum, { diskUsed }) => sum + diskUsed, 0));
  const parts = [...(await records(exporting, userId)), ...(await sites(exporting, projects))];
  const showProgress = (index: number) =>
    updateExport(deploys.db, id, { progress: Math.floor((100 * index) / parts.length) });
  let size = 0;
  const counted = new Transform({
    transform(chunk, _encoding, next) {
      size += chunk.length;
      next(null, chunk);
    },
  });
  const stored = exports.add(id, counted).catch((error) => {
    counted.destroy(error);
    throw error;
  });
  await Promise.all([stored, pipeline(zipOf(parts, showProgress), counted)]);
  return size;
}

/** The tables, as JSON. */
async function records({ billing, deploys: { db, sites: addresses } }: Exporting, userId: string): Promise<Part[]> {
  const user = await findUser(db, userId);
  const state = await loadState(db, userId, addresses);
  if (!user || !state) throw new Error(`there is no customer ${userId}`);
  const { sessions, passkeys, tokens, access, ...rest } = await findRecords(db, userId);
  const archived = (await findAllProjects(db, userId)).filter(({ archivedAt }) => archivedAt);
  const content = {
    account: { ...presentUser(user), sessions, passkeys, tokens, access },
    projects: { active: Object.values(state.projects), deleted: archived },
    ...rest,
    invoices: user.providerId ? await invoices(billing, user.providerId) : [],
    activity: await wholeActivity(db, userId),
  };
  const files = Object.entries(content).map(([name, value]) => ({
    path: `${name}.json`,
    open: async () => Readable.from([Buffer.from(`${JSON.stringify(value, null, 2)}\n`)]),
  }));
  const introduction = { path: readMe[user.lang].path, open: async () => Readable.from([readMe[user.lang].text]) };
  return [introduction, ...files];
}

async function wholeActivity(db: Db, userId: string) {
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
async function sites({ wordpress, deploys, locks }: Exporting, projects: ProjectRow[]): Promise<Part[]> {
  const parts: Part[] = [];
  for (const { id, userId, name, recipe, archivedAt } of projects) {
    if (categoryOf(recipe) === "wordpress") {
      // A site that has not changed since its last backup needs no new one.
      if (!archivedAt && (await hasChanged(deploys.db, id)))
        await locks.run(siteLock(id), () => backUpSite(wordpress, id));
      const [latest] = await wordpress.backups.list(id);
      const open = () => wordpress.backups.open(id, latest as string).stream();
      if (latest) parts.push({ path: `sites/${name}.tar.gz`, isCompressed: true, open });
      continue;
    }
    const shown = await findBranch(deploys.db, id, mainBranch);
    if (!shown) continue;
    // A zip of its own, because a site may have very many files.
    const open = async () => zipOf(await filesOf(deploys, userId, shown.deployId));
    parts.push({ path: `sites/${name}.zip`, isCompressed: true, open });
  }
  return parts;
}

async function filesOf({ db, store }: Deploys, userId: string, deployId: string): Promise<Part[]> {
  const files = await findFiles(db, deployId);
  return files.map(([path, sha256]) => ({ path, open: () => store.read(blobKey(userId, sha256)) }));
}
