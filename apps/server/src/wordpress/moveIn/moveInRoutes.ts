import { randomUUID } from "node:crypto";
import { addAbortSignal, Readable } from "node:stream";
import {
  type MoveIn,
  type MoveInSource,
  moveInPartBytes,
  moveInSourceSchema,
  newMoveInSchema,
  resourcesOf,
} from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { zipSync } from "fflate";
import { z } from "zod";
import { record } from "../../activity/record.ts";
import { announceChange } from "../../db/announceChange.ts";
import type { Tx } from "../../db/connect.ts";
import { idParams } from "../../http/idParams.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { AppError } from "../../platform/AppError.ts";
import { fetchMoveInJob, inspectMoveInJob, moveInJob } from "../jobs.ts";
import type { SiteRow } from "../queries.ts";
import { insertStagingRows } from "../requestStaging.ts";
import { requireOwnSite } from "../requireOwnSite.ts";
import type { SiteApi } from "../SiteApi.ts";
import type { SiteOwner } from "../SiteOwner.ts";
import { beginWork, requireIdle } from "../work.ts";
import { bringPlugin } from "./bringPlugin.ts";
import { addressOf, describeSource } from "./describeSource.ts";
import { findMoveIn, insertMoveIn, recordPart, removeMoveIn } from "./moveInRows.ts";
import { pluginFiles } from "./pluginFiles.ts";

const partMs = 10 * 60_000;
/** For the owner of another WordPress to install there. */
const zipped = Object.entries(pluginFiles).map(([name, bytes]) => [`nido-move/${name}`, bytes]);
const plugin = Buffer.from(zipSync(Object.fromEntries(zipped)));
/** Somebody waits. */
const askMs = 80_000;

/**
 * Another WordPress becomes the staging copy of a site. Its archive is sent, or it is copied from its address; then it is
 * looked through and unpacked.
 */
export function moveInRoutes(scope: FastifyInstance, prefix: string, { wordpress, change, adjust }: SiteApi) {
  const { db, uploads, box } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();
  const path = `${prefix}/move-in`;
  const options = { config: { rateLimit: "siteCare" }, schema: { params: idParams } } as const;

  app.get(path, options, async ({ owner, params }): Promise<MoveIn> => {
    const site = await requireOwnSite(db, owner, params.id);
    const row = await findMoveIn(db, site.id);
    if (!row) return { upload: null };
    const { name, size, modified, received, report, problem } = row;
    const state = { ...(row.source && { isCopying: true }), ...(report && { report }), ...(problem && { problem }) };
    return { upload: { name, size, modified, received, ...state } };
  });

  /** What was sent or copied before is replaced. */
  async function begin(site: SiteRow, upload: Parameters<typeof insertMoveIn>[2], andThen: (tx: Tx) => Promise<void>) {
    await uploads.requireRoom(upload.size);
    let before: string | undefined;
    await change(site, async (tx) => {
      await requireIdle(tx, site.id);
      before = await removeMoveIn(tx, site.id);
      await insertMoveIn(tx, site.id, upload);
      await andThen(tx);
    });
    if (before) await uploads.remove(before);
  }

  const beginning = { ...options, schema: { params: idParams, body: newMoveInSchema } };
  app.post(path, beginning, async ({ owner, params, body }) => {
    const site = await requireOwnSite(db, owner, params.id);
    if (body.size > resourcesOf(site.recipe).disk) throw new AppError("error_move_in_size");
    await begin(site, body, (tx) => note(tx, owner, site, { kind: "moveInSent", name: body.name }));
    return { ok: true };
  });

  function openSource(given: MoveInSource) {
    const { mayAskPrivate: mayBePrivate } = wordpress;
    const options = { mayBePrivate, signal: AbortSignal.any([wordpress.signal, AbortSignal.timeout(askMs)]) };
    const url = addressOf(given.url, mayBePrivate);
    if (!("sftp" in given)) return describeSource({ ...given, url }, options);
    return bringPlugin(given.sftp, url, (password) => describeSource({ url, password }, options), options);
  }

  const copying = {
    config: { rateLimit: "moveInSources" },
    schema: { params: idParams, body: moveInSourceSchema },
  } as const;
  app.post(`${path}/source`, copying, async ({ owner, params, body }) => {
    const site = await requireOwnSite(db, owner, params.id);
    const { source, tables, bytes } = await openSource(body);
    if (bytes > resourcesOf(site.recipe).disk) throw new AppError("error_move_in_size");
    const id = randomUUID();
    const password = box.seal(source.password, id).toString("base64");
    const progress = { tables, after: "", dumpBytes: 0, dumpParts: 0, isRead: false };
    const upload = { id, name: new URL(source.url).host, size: bytes, modified: 0 };
    await begin(site, { ...upload, source: { ...source, password, ...progress } }, async (tx) => {
      await enqueue(tx, fetchMoveInJob, { projectId: site.id, id });
      await note(tx, owner, site, { kind: "moveInCopied", name: upload.name });
    });
    return { ok: true };
  });

  app.get(`${path}/plugin`, options, async ({ owner, params }, reply) => {
    await requireOwnSite(db, owner, params.id);
    return reply
      .header("content-disposition", 'attachment; filename="nido-move.zip"')
      .type("application/zip")
      .send(plugin);
  });

  // A part is streamed, not parsed, so nothing is read before it is known whose it is.
  app.addContentTypeParser("application/octet-stream", (_request, payload, done) => done(null, payload));
  const sending = {
    config: { rateLimit: "moveInParts", isUpload: true },
    schema: { params: idParams.extend({ start: z.coerce.number().int().min(0) }) },
  } as const;
  app.put(`${path}/:start`, sending, async ({ owner, params: { id, start }, body, headers }) => {
    const site = await requireOwnSite(db, owner, id);
    const row = await findMoveIn(db, site.id);
    const bytes = Number(headers["content-length"]);
    const isExpected =
      row?.received === start && !row.source && bytes > 0 && bytes <= moveInPartBytes && start + bytes <= row.size;
    if (!isExpected || !(body instanceof Readable)) throw new AppError("error_move_in_part");
    await uploads.requireRoom(bytes);
    // A part that does not arrive in time would keep its place for ever.
    const timed = addAbortSignal(AbortSignal.timeout(partMs), body);
    const name = await uploads.add(row.id, timed);
    try {
      await db.transactionOf(owner.userId, async (tx) => {
        const received = await recordPart(tx, row.id, { start, bytes, name });
        if (received === undefined) throw new AppError("error_move_in_part");
        if (received === row.size) await enqueue(tx, inspectMoveInJob, { projectId: site.id, id: row.id });
        await announceChange(tx, owner.userId);
      });
    } catch (error) {
      await uploads.removePart(row.id, name);
      throw error;
    }
    return { ok: true };
  });

  app.post(`${path}/start`, options, async ({ owner, params }, reply) => {
    const site = await requireOwnSite(db, owner, params.id);
    await change(site, async (tx) => {
      if (!(await findMoveIn(tx, site.id))?.report) throw new AppError("error_move_in_not_found");
      const id = await beginWork(tx, site.id, { kind: "moveIn" });
      await insertStagingRows(tx, site);
      await enqueue(tx, moveInJob, { projectId: site.id, id });
      const activity = { kind: "moveInStarted", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    return reply.code(202).send({ ok: true });
  });

  app.delete(path, options, async ({ owner, params }) => {
    const site = await requireOwnSite(db, owner, params.id);
    let removed: string | undefined;
    await adjust(site, async (tx) => {
      await requireIdle(tx, site.id);
      removed = await removeMoveIn(tx, site.id);
      if (!removed) throw new AppError("error_move_in_not_found");
      const activity = { kind: "moveInDiscarded", params: { project: site.name }, projectId: site.id } as const;
      await record(tx, owner.userId, owner.actor, activity);
    });
    if (removed) await uploads.remove(removed);
    return { ok: true };
  });
}

/** `name`: of the archive or the host */
async function note(
  tx: Tx,
  { userId, actor }: SiteOwner,
  { id, name: project }: SiteRow,
  { kind, name }: { kind: "moveInSent" | "moveInCopied"; name: string },
) {
  await record(tx, userId, actor, { kind, params: { project, name }, projectId: id });
}
