import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { type CommandEvent, siteCommandSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../../activity/record.ts";
import type { Tx } from "../../db/connect.ts";
import { idParams } from "../../http/idParams.ts";
import { enqueue } from "../../jobs/enqueue.ts";
import { AppError } from "../../platform/AppError.ts";
import { findBackupRows } from "../backupRows.ts";
import { purgePages } from "../dueSites.ts";
import { makeBackupJob } from "../jobs.ts";
import { findStaging, findWordPress, type SiteRow } from "../queries.ts";
import { requireOwnSite } from "../requireOwnSite.ts";
import type { SiteApi } from "../SiteApi.ts";
import type { SiteOwner } from "../SiteOwner.ts";
import { siteOf } from "../WordPress.ts";
import { beginWork, failVanishedWork, findWork, requireIdle } from "../work.ts";
import { allowedCommand, type SiteCommand } from "./allowedCommands.ts";
import { runCommand } from "./runCommand.ts";

const pollMs = 500;

interface Request extends SiteCommand {
  owner: SiteOwner;
  /** the project */
  id: string;
  isStaging: boolean;
  /** Aborts when nobody waits for the answer any longer. */
  signal: AbortSignal;
}

/** Commands of WP-CLI. What they print is sent while they run. */
export function commandRoutes(scope: FastifyInstance, prefix: string, api: SiteApi) {
  const { wordpress, change, adjust, running } = api;
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();

  const schema = { params: idParams, body: siteCommandSchema };
  app.post(`${prefix}/cli`, { config: { rateLimit: "siteCommands" }, schema }, async (request, reply) => {
    const { owner, params, body } = request;
    const command = allowedCommand(body.args);
    if (!command) throw new AppError("error_command_refused");
    const leaving = new AbortController();
    const asked = { ...command, owner, id: params.id, isStaging: body.staging, signal: leaving.signal };
    const site = await requireSite(asked);
    if (!running.tryTake(site.id)) throw new AppError("error_site_busy");
    const end = onlyOnce(() => {
      leaving.abort();
      running.release(site.id);
    });
    reply.raw.once("close", end);
    try {
      // It may have been closed before.
      if (reply.raw.destroyed) leaving.abort();
      leaving.signal.throwIfAborted();
      // In a cluster, it is part of the image.
      if (wordpress.runtimeOf(site).folders(siteOf(wordpress, site))) await wordpress.provideWpCli();
      const needsBackup = command.kind === "risky" && !body.staging;
      const events = needsBackup ? afterBackup(asked, await beginBackup(asked, site)) : await begin(asked);
      const lines = Readable.from(linesOf(events, site, command, end));
      return reply.type("application/x-ndjson").header("cache-control", "no-store").send(lines);
    } catch (error) {
      end();
      throw error;
    }
  });

  async function requireSite({ owner, id, isStaging }: Request): Promise<SiteRow> {
    const live = await requireOwnSite(db, owner, id);
    if (!isStaging) return live;
    const staging = await findStaging(db, id);
    const copy = staging?.copiedAt && (await findWordPress(db, staging.id));
    if (!copy) throw new AppError("error_staging_not_found");
    return copy;
  }

  async function begin(request: Request) {
    const site = await requireSite(request);
    if (request.kind !== "reads") await adjust(site, (tx) => begun(tx, request, site));
    request.signal.throwIfAborted();
    return runCommand(wordpress, siteOf(wordpress, site), request.args, request.signal);
  }

  async function begun(tx: Tx, { owner, id, name }: Request, site: SiteRow) {
    await requireIdle(tx, id);
    const params = { project: site.name, command: name };
    await record(tx, owner.userId, owner.actor, { kind: "commandRun", params, projectId: id });
  }

  async function beginBackup({ owner: { actor }, name }: Request, site: SiteRow) {
    const [last] = await findBackupRows(db, site.id);
    let work = "";
    await change(site, async (tx) => {
      work = await beginWork(tx, site.id, { kind: "backup" });
      const note = `wp ${name}`;
      await enqueue(tx, makeBackupJob, { projectId: site.id, id: work, note, isBeforeCommand: true, actor });
    });
    return { work, after: last?.name ?? "" };
  }

  async function* afterBackup(request: Request, backup: { work: string; after: string }): AsyncGenerator<CommandEvent> {
    for (;;) {
      const site = await requireSite(request);
      await failVanishedWork(db, site);
      const work = await findWork(db, site.id);
      if (work?.id !== backup.work || work.has_failed) break;
      yield { backup: work.progress };
      await pause(pollMs, undefined, { signal: request.signal });
    }
    const rows = await findBackupRows(db, request.id);
    if (!rows.some(({ reason, name }) => reason === "command" && name > backup.after))
      return yield { error: "error_command_no_backup" };
    try {
      yield* await begin(request);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield { error: error.key };
    }
  }

  async function* linesOf(
    events: AsyncIterable<CommandEvent>,
    { id }: SiteRow,
    { kind }: SiteCommand,
    end: () => void,
  ) {
    let isPurged = kind === "reads";
    // WP-CLI writes to the database in ways that the site does not notice.
    const purge = async () => {
      if (isPurged) return;
      isPurged = true;
      await purgePages(db, id);
      wordpress.generations.forget(id);
    };
    try {
      for await (const event of events) {
        // Whoever has read the exit code sees what has changed, and may run the next command.
        if ("exit" in event) {
          await purge();
          end();
        }
        yield `${JSON.stringify(event)}\n`;
      }
    } finally {
      await purge();
    }
  }
}

function onlyOnce(act: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) act();
    isDone = true;
  };
}
