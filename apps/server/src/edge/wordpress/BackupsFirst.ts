import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { platform, record } from "../../activity/record.ts";
import type { SiteEntry } from "../../domains/findSite.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import { AppError } from "../../platform/AppError.ts";
import { Shares } from "../../platform/Shares.ts";
import { beginBackup, findUndoOfAct, progressOfBackup } from "../../wordpress/backUpFirst.ts";
import type { RestoreUndo } from "../../wordpress/lifecycle/restoreOwnSite.ts";
import { findWordPress } from "../../wordpress/queries.ts";
import { createChanges, type SiteApi } from "../../wordpress/SiteApi.ts";
import type { WordPress } from "../../wordpress/WordPress.ts";
import type { Site } from "../../wordpress/WordPressRuntime.ts";
import { findWork, isIdle } from "../../wordpress/work.ts";
import { isClosed } from "../isClosed.ts";
import { type PhpCall, readBody, requestPhp } from "./requestPhp.ts";
import { streamResponse } from "./streamResponse.ts";
import type { UploadBudget } from "./UploadBudget.ts";
import type { Visit } from "./Visit.ts";

/** The scripts by which WordPress's screens switch, update and delete plugins and themes. */
const screens = /^wp-admin\/(plugins|themes|update|admin-ajax)\.php$/;
const maxBodyBytes = 2 ** 16;
const pollMs = 500;
/** Nobody waits longer for a page. The backup goes on. */
const maxWaitMs = 10 * 60_000;
/** Requests of one site that wait for its backup. */
const maxWaiting = 50;
const maxItemsLength = 300;
const maxNoteLength = 100;
/** WordPress's screens update the chosen plugins one after the other. */
const seriesMs = 5 * 60_000;

interface Made {
  undo: RestoreUndo;
  items: string;
  isRecorded: boolean;
}

/**
 * Makes a backup before the owner updates or deletes plugins or themes in WordPress's administration, or switches several at once.
 * PHP knows who asks for what: it answers the first request with the header X-Nido-Backup and does nothing. Once there is
 * a backup, the request is repeated. If there can be none, the owner is told, and may repeat it without one.
 */
export class BackupsFirst {
  private readonly wordpress: WordPress;
  private readonly uploads: UploadBudget;
  private readonly limiter: RateLimiter;
  private readonly adjust: SiteApi["adjust"];
  /** by site: requests that come together share a backup */
  private readonly making = new Map<string, Promise<Made | undefined>>();
  private readonly waiting = new Shares(maxWaiting);
  /** Sites whose owner goes on with a series of changes, or knows that there is no backup. */
  private readonly passing = new LRUCache<string, true>({ max: 10_000, ttl: seriesMs });

  constructor(wordpress: WordPress, uploads: UploadBudget, limiter: RateLimiter) {
    this.wordpress = wordpress;
    this.uploads = uploads;
    this.limiter = limiter;
    this.adjust = createChanges(wordpress.db, limiter).adjust;
  }

  /** Whether PHP is to be asked if a backup comes first. A staging copy needs none. */
  concerns({ stagingOf }: SiteEntry, { request }: Visit, { script }: PhpCall): boolean {
    const { method, headers } = request;
    if (stagingOf || script.in !== "core" || !screens.test(script.path)) return false;
    if (!headers.cookie?.includes("wordpress_logged_in_")) return false;
    const isForm = headers["content-type"]?.startsWith("application/x-www-form-urlencoded");
    return (
      method === "GET" || (method === "POST" && isForm === true && Number(headers["content-length"]) <= maxBodyBytes)
    );
  }

  async pass(site: Site, visit: Visit, call: PhpCall) {
    const { body, release } = await readBody(this.uploads, visit, maxBodyBytes);
    const send = (state: "first" | "made" | "failed") => {
      const server = { ...call.server, NIDO_BACKUP: state };
      return requestPhp(this.wordpress.answer, this.uploads, site, visit, { ...call, server }, body);
    };
    try {
      const answer = await send("first");
      const items = answer.headers["x-nido-backup"];
      if (typeof items !== "string") return await streamResponse(visit, answer);
      answer.body.resume();
      const isMade = await this.prepare(site, visit, decodeItems(items));
      // Whoever has left does not want it any longer.
      if (isMade !== undefined) await streamResponse(visit, await send(isMade ? "made" : "failed"));
    } finally {
      release();
    }
  }

  /** Undefined if the visitor has left. */
  private async prepare({ id }: Site, { response }: Visit, items: string): Promise<boolean | undefined> {
    if (this.passing.has(id)) {
      this.passing.set(id, true);
      return true;
    }
    const made = this.waiting.tryTake(id) ? await this.waitFor(id, items) : undefined;
    if (isClosed(response)) return undefined;
    this.passing.set(id, true);
    if (made) await this.recordOnce(id, made);
    return made !== undefined;
  }

  private async waitFor(siteId: string, items: string): Promise<Made | undefined> {
    const making =
      this.making.get(siteId) ??
      this.backUp(siteId, items)
        .catch((error) => {
          if (!(error instanceof AppError)) throw error;
          return undefined;
        })
        .finally(() => this.making.delete(siteId));
    this.making.set(siteId, making);
    return making.finally(() => this.waiting.release(siteId));
  }

  /** Undefined if the backup failed or takes too long, or if other work is under way or has left half a site. */
  private async backUp(siteId: string, items: string): Promise<Made | undefined> {
    const { wordpress, limiter, adjust } = this;
    const row = await findWordPress(wordpress.db, siteId);
    if (!row || (await findWork(wordpress.db, siteId))?.snapshot) return undefined;
    if (!(await wordpress.db.transaction((tx) => isIdle(tx, siteId)))) return undefined;
    await limiter.take("adminBackups", siteId);
    const note = items.slice(0, maxNoteLength);
    const begun = await beginBackup({ wordpress, change: adjust }, row, { before: "admin", note, actor: platform });
    const end = Date.now() + maxWaitMs;
    while ((await progressOfBackup(wordpress, row, begun)) !== undefined) {
      if (Date.now() > end) return undefined;
      await pause(pollMs, undefined, { signal: wordpress.signal });
    }
    const undo = await findUndoOfAct(wordpress, row, begun);
    return undo && { undo, items, isRecorded: false };
  }

  private async recordOnce(siteId: string, made: Made) {
    const row = made.isRecorded ? undefined : await findWordPress(this.wordpress.db, siteId);
    if (!row || made.isRecorded) return;
    made.isRecorded = true;
    const params = { project: row.name, items: made.items };
    await this.adjust(row, async (tx) => {
      await record(tx, row.userId, platform, { kind: "adminChanged", params, projectId: row.id, undo: made.undo });
    });
  }
}

/** The site may send anything. */
function decodeItems(text: string): string {
  try {
    return decodeURIComponent(text)
      .replace(/\p{Cc}/gu, " ")
      .slice(0, maxItemsLength)
      .toWellFormed();
  } catch {
    return "";
  }
}
