import { type Backup, keptBackups, newBackupSchema, restoreSchema, type SiteBackups } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { z } from "zod";
import { record } from "../activity/record.ts";
import { browserAs } from "../auth/devices.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import { requireSession } from "../auth/requireSession.ts";
import type { Sessions } from "../auth/sessions.ts";
import { idParams } from "../http/idParams.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import { backupDate } from "./BackupStore.ts";
import { findBackupRows } from "./backupRows.ts";
import { makeBackupJob } from "./jobs.ts";
import type { SiteRow } from "./queries.ts";
import { requestRestore } from "./requestRestore.ts";
import { requireOwnSite } from "./requireOwnSite.ts";
import type { ChangeSite } from "./siteChanges.ts";
import type { WordPress } from "./WordPress.ts";
import { beginWork, failVanishedWork } from "./work.ts";

const backupParams = idParams.extend({ name: z.string().max(60) });

/** The backups of a WordPress site: listed, made, restored and downloaded by its owner. */
export function backupRoutes(
  scope: FastifyInstance,
  { db, backups }: WordPress,
  sessions: Sessions,
  change: ChangeSite,
) {
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const preValidation = requireSession(sessions);
  const path = "/api/projects/:id/backups";
  const reading = { preValidation, config: { rateLimit: "siteCare" } } as const;
  const ofBackup = { params: backupParams };

  app.get(path, { ...reading, schema: { params: idParams } }, async ({ session, params }): Promise<SiteBackups> => {
    const site = await requireOwnSite(db, session.userId, params.id);
    await failVanishedWork(db, site);
    const rows = new Map((await findBackupRows(db, site.id)).map((row) => [row.name, row]));
    const list = (await backups.list(site.id)).map((name) => present(name, rows.get(name)));
    return { backups: list, kept: keptBackups(site.recipe) };
  });

  app.post(path, { ...reading, schema: { params: idParams, body: newBackupSchema } }, async (request, reply) => {
    const { session, params, body } = request;
    const site = await requireOwnSite(db, session.userId, params.id);
    await change(site, async (tx) => {
      const id = await beginWork(tx, site.id, { kind: "backup" });
      await enqueue(tx, makeBackupJob, { projectId: site.id, id, note: body.note, actor: browserAs(session) });
    });
    return reply.code(202).send({ ok: true });
  });

  const restoring = { ...reading, schema: { ...ofBackup, body: restoreSchema } };
  app.post(`${path}/:name/restore`, restoring, async ({ session, params, body }, reply) => {
    const site = await requireBackup(session.userId, params);
    await change(site, async (tx) => {
      await record(
        tx,
        session.userId,
        browserAs(session),
        await requestRestore(tx, site, { backup: params.name }, body.parts),
      );
    });
    return reply.code(202).send({ ok: true });
  });

  // The dashboard asks this before it follows the link, so that the customer can be asked for a proof.
  app.post(`${path}/:name`, { ...reading, schema: ofBackup }, async ({ session, params }) => {
    requireRecentProof(session);
    await requireBackup(session.userId, params);
    return { ok: true };
  });

  const downloading = { preValidation, config: { rateLimit: "exportDownloads" }, schema: ofBackup } as const;
  app.get(`${path}/:name`, downloading, async ({ session, params }, reply) => {
    requireRecentProof(session);
    const site = await requireBackup(session.userId, params);
    return reply
      .type("application/gzip")
      .header("content-disposition", `attachment; filename="${site.name}-${params.name}"`)
      .header("cache-control", "no-store")
      .send(await backups.open(site.id, params.name).stream());
  });

  async function requireBackup(userId: string, { id, name }: z.infer<typeof backupParams>): Promise<SiteRow> {
    const site = await requireOwnSite(db, userId, id);
    if (!(await backups.list(site.id)).includes(name)) throw new AppError("error_backup_not_found");
    return site;
  }
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
