import { type Backup, hasStaging, keptBackups, newBackupSchema, restoreSchema, type SiteBackups } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { record } from "../activity/record.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { idParams } from "../http/idParams.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { backupDate } from "./BackupStore.ts";
import { findBackupRows, findContents } from "./backupRows.ts";
import { makeBackupJob } from "./jobs.ts";
import { requestRestore } from "./requestRestore.ts";
import { requestStaging } from "./requestStaging.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { SiteApi } from "./SiteApi.ts";
import type { SiteOwner } from "./SiteOwner.ts";
import { contentChanges } from "./siteContent.ts";
import type { WordPress } from "./WordPress.ts";
import { beginWork, failVanishedWork } from "./work.ts";

const backupParams = idParams.extend({ name: z.string().max(60) });

/** The backups of a WordPress site: listed, made and restored. */
export function backupRoutes(scope: FastifyInstance, prefix: string, { wordpress, change }: SiteApi) {
  const { db, backups } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/backups`;
  const config = { rateLimit: "siteCare" } as const;

  app.get(path, { config, schema: { params: idParams } }, async ({ owner, params }): Promise<SiteBackups> => {
    const site = await requireOwnSite(db, owner, params.id);
    await failVanishedWork(db, site);
    const rows = new Map((await findBackupRows(db, site.id)).map((row) => [row.name, row]));
    const names = await backups.list(site.id);
    const contents = await findContents(db, site.id);
    const list = names.map((name, index): Backup => {
      const before = names[index + 1] ?? "";
      const [old, now] = [contents.get(before), contents.get(name)];
      return { ...present(name, rows.get(name)), ...(old && now && { changes: contentChanges(before, old, now) }) };
    });
    return { backups: list, kept: keptBackups(site.recipe) };
  });

  const making = { config, schema: { params: idParams, body: newBackupSchema } };
  app.post(path, making, async ({ owner, params, body }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    await change(site, async (tx) => {
      const id = await beginWork(tx, site.id, { kind: "backup" });
      await enqueue(tx, makeBackupJob, { projectId: site.id, id, note: body.note, actor: owner.actor });
    });
    return reply.code(202).send({ ok: true });
  });

  const restoring = { config, schema: { params: backupParams, body: restoreSchema } };
  app.post(`${path}/:name/restore`, restoring, async ({ owner, params, body }, reply) => {
    const site = await requireBackup(wordpress, owner, params);
    if (body.to === "staging" && !hasStaging(site.recipe)) throw new AppError("error_staging_plan");
    await change(site, async (tx) => {
      if (body.to === "staging") return requestStaging(tx, site, { backup: params.name, parts: body.parts });
      const activity = await requestRestore(tx, site, { backup: params.name }, body.parts);
      await record(tx, owner.userId, owner.actor, activity);
    });
    return reply.code(202).send({ ok: true });
  });
}

/** A backup is downloaded with a recent proof only, which a token cannot give. */
export function backupDownloads(scope: FastifyInstance, prefix: string, { wordpress, adjust }: SiteApi) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/backups/:name`;
  const schema = { params: backupParams };

  // The dashboard asks this before it follows the link, so that the customer can be asked for a proof.
  app.post(path, { config: { rateLimit: "siteCare" }, schema }, async ({ session, owner, params }) => {
    requireRecentProof(session);
    await requireBackup(wordpress, owner, params);
    return { ok: true };
  });

  app.get(path, { config: { rateLimit: "exportDownloads" }, schema }, async ({ session, owner, params }, reply) => {
    requireRecentProof(session);
    const site = await requireBackup(wordpress, owner, params);
    const date = backupDate(params.name).toISOString();
    const activity = { kind: "backupDownloaded", params: { project: site.name, date }, projectId: site.id } as const;
    await adjust(site, async (tx) => void (await record(tx, owner.userId, owner.actor, activity)));
    return reply
      .type("application/gzip")
      .header("content-disposition", `attachment; filename="${site.name}-${params.name}"`)
      .header("cache-control", "no-store")
      .send(await wordpress.backups.open(site.id, params.name).stream());
  });
}

async function requireBackup({ db, backups }: WordPress, owner: SiteOwner, { id, name }: z.infer<typeof backupParams>) {
  const site = await requireOwnSite(db, owner, id);
  if (!(await backups.list(site.id)).includes(name)) throw new AppError("error_backup_not_found");
  return site;
}

function present(name: string, row?: Awaited<ReturnType<typeof findBackupRows>>[number]): Backup {
  const { reason = "nightly", note = "", size, core } = row ?? {};
  return {
    name,
    reason,
    note,
    ...(size !== undefined && { size }),
    ...(core && { core }),
    created_at: backupDate(name).toISOString(),
  };
}
