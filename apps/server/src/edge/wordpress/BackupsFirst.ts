import { setTimeout as pause } from "node:timers/promises";
import { platform, record } from "../../activity/record.ts";
import type { SiteEntry } from "../../domains/findSite.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import { AppError } from "../../platform/AppError.ts";
import { backupDate } from "../../wordpress/BackupStore.ts";
import { beginBackup, findUndoOfAct, progressOfBackup } from "../../wordpress/backUpFirst.ts";
import { findBackupRows } from "../../wordpress/backupRows.ts";
import { findWordPress, type SiteRow } from "../../wordpress/queries.ts";
import { createChanges, type SiteApi } from "../../wordpress/SiteApi.ts";
import type { WordPress } from "../../wordpress/WordPress.ts";
import type { Site } from "../../wordpress/WordPressRuntime.ts";
import { type PhpCall, readBody, requestPhp } from "./requestPhp.ts";
import { streamResponse } from "./streamResponse.ts";
import type { UploadBudget } from "./UploadBudget.ts";
import type { Visit } from "./Visit.ts";

/** The scripts by which WordPress's screens switch, update and delete plugins and themes. */
const screens = /^wp-admin\/(plugins|themes|update|admin-ajax)\.php$/;
const maxBodyBytes = 2 ** 16;
const pollMs = 500;
const maxItemsLength = 300;
const maxNoteLength = 100;
/** WordPress's screens update the chosen plugins one after the other. */
const seriesMs = 5 * 60_000;

/**
 * Makes a backup before the owner updates or deletes plugins or themes in WordPress's administration, or switches several at once.
 * PHP knows who asks for what: it answers the first request with the header X-Nido-Backup and does nothing. Once there is
 * a backup, the request is repeated.
 */
export class BackupsFirst {
  private readonly wordpress: WordPress;
  private readonly uploads: UploadBudget;
  private readonly changes: Pick<SiteApi, "change" | "adjust">;
  /** by site: requests that come together share a backup */
  private readonly making = new Map<string, Promise<boolean>>();

  constructor(wordpress: WordPress, uploads: UploadBudget, limiter: RateLimiter) {
    this.wordpress = wordpress;
    this.uploads = uploads;
    this.changes = createChanges(wordpress.db, limiter);
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
    const body = await readBody(this.uploads, visit, maxBodyBytes);
    const send = (state: "first" | "made" | "failed") => {
      const server = { ...call.server, NIDO_BACKUP: state };
      return requestPhp(this.wordpress.answer, this.uploads, site, visit, { ...call, server }, body);
    };
    const answer = await send("first");
    const items = answer.headers["x-nido-backup"];
    if (typeof items !== "string") return streamResponse(visit, answer);
    answer.body.resume();
    const isMade = await this.backUpOnce(site.id, decodeItems(items));
    // Whoever has left does not want it any longer.
    if (visit.response.destroyed) return;
    await streamResponse(visit, await send(isMade ? "made" : "failed"));
  }

  private backUpOnce(siteId: string, items: string): Promise<boolean> {
    const making =
      this.making.get(siteId) ??
      this.backUp(siteId, items)
        .catch((error) => {
          if (!(error instanceof AppError)) throw error;
          return false;
        })
        .finally(() => this.making.delete(siteId));
    this.making.set(siteId, making);
    return making;
  }

  /** False if the backup failed, or if other work is under way. */
  private async backUp(siteId: string, items: string): Promise<boolean> {
    const { wordpress } = this;
    const { change, adjust } = this.changes;
    const row = await findWordPress(wordpress.db, siteId);
    if (!row || (await this.isInSeries(row))) return row !== undefined;
    const note = items.slice(0, maxNoteLength);
    const backup = await beginBackup({ wordpress, change }, row, { before: "admin", note, actor: platform });
    while ((await progressOfBackup(wordpress, row, backup)) !== undefined)
      await pause(pollMs, undefined, { signal: wordpress.signal });
    const undo = await findUndoOfAct(wordpress, row, backup);
    if (!undo) return false;
    const params = { project: row.name, items };
    await adjust(row, async (tx) => {
      await record(tx, row.userId, platform, { kind: "adminChanged", params, projectId: row.id, undo });
    });
    return true;
  }

  private async isInSeries({ id }: SiteRow): Promise<boolean> {
    const [last] = await findBackupRows(this.wordpress.db, id);
    return last?.reason === "admin" && Date.now() - backupDate(last.name).getTime() < seriesMs;
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
