import { Readable } from "node:stream";
import { setTimeout as pause } from "node:timers/promises";
import { type CommandEvent, siteCommandSchema } from "@nido/contract";
import type { FastifyInstance } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import { record } from "../../activity/record.ts";
import type { Tx } from "../../db/connect.ts";
import { idParams } from "../../http/idParams.ts";
import { AppError } from "../../platform/AppError.ts";
import { type BegunBackup, beginBackup, findUndoOfAct, progressOfBackup } from "../backUpFirst.ts";
import { purgePages } from "../dueSites.ts";
import type { RestoreUndo } from "../lifecycle/restoreOwnSite.ts";
import { findStaging, findWordPress, type SiteRow } from "../queries.ts";
import { requireOwnSite } from "../requireOwnSite.ts";
import type { SiteApi } from "../SiteApi.ts";
import type { SiteOwner } from "../SiteOwner.ts";
import { siteLock } from "../siteLock.ts";
import { siteOf } from "../WordPress.ts";
import { requireIdle } from "../work.ts";
import { allowedCommand, type SiteCommand } from "./allowedCommands.ts";
import { runCommand } from "./runCommand.ts";

const pollMs = 500;
/** The backup before a command ends shortly before its job lets go of the site. */
const lockWaitMs = 3000;

interface Request extends SiteCommand {
  owner: SiteOwner;
  /** the project */
  id: string;
  isStaging: boolean;
  /** Aborts when nobody waits for the answer any longer. */
  signal: AbortSignal;
  /** What is to be done once the command is over, the last first. */
  ends: (() => unknown)[];
}

/** Commands of WP-CLI. What they print is sent while they run. */
export function commandRoutes(scope: FastifyInstance, prefix: string, api: SiteApi) {
  const { wordpress, adjust, running, locks } = api;
  const { db } = wordpress;
  const app = scope.withTypeProvider<ZodTypeProvider>();

  const schema = { params: idParams, body: siteCommandSchema };
  app.post(`${prefix}/cli`, { config: { rateLimit: "siteCommands" }, schema }, async (request, reply) => {
    const { owner, params, body } = request;
    const command = allowedCommand(body.args);
    if (!command) throw new AppError("error_command_refused");
    const leaving = new AbortController();
    const { signal } = leaving;
    const ends: Request["ends"] = [];
    const asked = { ...command, owner, id: params.id, isStaging: body.staging, signal, ends };
    const site = await requireSite(asked);
    if (!running.tryTake(site.id)) throw new AppError("error_site_busy");
    ends.push(() => running.release(site.id));
    const end = async () => {
      leaving.abort();
      for (let next = ends.pop(); next; next = ends.pop()) await next();
    };
    reply.raw.once("close", () => end().catch((error) => request.log.error({ err: error }, "a command did not end")));
    try {
      // It may have been closed before.
      if (reply.raw.destroyed) leaving.abort();
      signal.throwIfAborted();
      // In a cluster, it is part of the image.
      if (wordpress.runtimeOf(site).folders(siteOf(wordpress, site))) await wordpress.provideWpCli();
      const needsBackup = command.kind === "risky" && !body.staging;
      const note = `wp ${command.name}`;
      const events = needsBackup
        ? afterBackup(asked, await beginBackup(api, site, { before: "command", note, actor: owner.actor }))
        : await begin(asked);
      signal.throwIfAborted();
      const lines = Readable.from(linesOf(events, end));
      return reply.type("application/x-ndjson").header("cache-control", "no-store").send(lines);
    } catch (error) {
      await end();
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

  async function begin(request: Request, undo?: RestoreUndo) {
    const site = await requireSite(request);
    if (request.kind !== "reads") {
      const release = await locks.take(siteLock(site.id), lockWaitMs);
      if (!release) throw new AppError("error_site_busy");
      request.ends.push(release);
      await adjust(site, (tx) => begun(tx, request, site, undo));
      request.ends.push(() => purge(site.id));
    }
    request.signal.throwIfAborted();
    return runCommand(wordpress, siteOf(wordpress, site), request.args, request.signal);
  }

  async function begun(tx: Tx, { owner, id, name }: Request, site: SiteRow, undo: RestoreUndo | undefined) {
    await requireIdle(tx, id);
    const params = { project: site.name, command: name };
    const activity = { kind: "commandRun", params, projectId: id, ...(undo && { undo }) } as const;
    await record(tx, owner.userId, owner.actor, activity);
  }

  async function* afterBackup(request: Request, backup: BegunBackup): AsyncGenerator<CommandEvent> {
    let site = await requireSite(request);
    for (;;) {
      const progress = await progressOfBackup(wordpress, site, backup);
      if (progress === undefined) break;
      yield { backup: progress };
      await pause(pollMs, undefined, { signal: request.signal });
      site = await requireSite(request);
    }
    const undo = await findUndoOfAct(wordpress, site, backup);
    if (!undo) return yield { error: "error_command_no_backup" };
    try {
      yield* await begin(request, undo);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      yield { error: error.key };
    }
  }

  /** WP-CLI writes to the database in ways that the site does not notice. */
  async function purge(id: string) {
    await purgePages(db, id);
    wordpress.generations.forget(id);
  }
}

async function* linesOf(events: AsyncIterable<CommandEvent>, end: () => Promise<void>) {
  try {
    for await (const event of events) {
      // Whoever has read the exit code sees what has changed, and may run the next command.
      if ("exit" in event) await end();
      yield `${JSON.stringify(event)}\n`;
    }
  } finally {
    await end();
  }
}
