import { type BackupChanges, countedContent } from "@nido/contract";
import { z } from "zod";
import type { SiteContent } from "../db/schema.ts";
import { backupDate } from "./BackupStore.ts";
import { requestSite } from "./requestSite.ts";
import type { WordPress } from "./WordPress.ts";
import type { Site } from "./WordPressRuntime.ts";

const count = z.int().nonnegative();
/** PostgreSQL stores neither in JSON. */
const text = z
  .string()
  .max(300)
  .transform((each) => each.toWellFormed().replaceAll("\0", ""));
const contentSchema: z.ZodType<SiteContent> = z.object({
  posts: count,
  pages: count,
  media: count,
  comments: count,
  users: count,
  edited: count,
  items: z.array(z.tuple([text, text, text])).max(500),
});

const maxNames = 10;
/** It is stored with each backup. */
const maxLength = 16_000;

/** Undefined if the site does not say. `last`: the backup before */
export async function readContent(
  wordpress: WordPress,
  site: Site,
  last: { name: string } | undefined,
): Promise<SiteContent | undefined> {
  const since = last ? backupDate(last.name) : new Date();
  const request = {
    url: "/",
    script: { in: "nido", path: "content.php" },
    server: { NIDO_SAFE: "1", NIDO_SINCE: since.toISOString().slice(0, 19).replace("T", " ") },
  } as const;
  try {
    const answer = await requestSite(wordpress, site, request);
    if (answer.length > maxLength) throw new Error(`${answer.length} characters`);
    return { ...contentSchema.parse(JSON.parse(answer)), ...(last && { since: last.name }) };
  } catch (error) {
    wordpress.log.warn({ reason: String(error).slice(0, 500), project: site.id }, "could not count a site's content");
    return undefined;
  }
}

/** `name`: of the backup before */
export function contentChanges(name: string, before: SiteContent, after: SiteContent): BackupChanges {
  const counts: BackupChanges["counts"] = {};
  for (const kind of countedContent) if (after[kind] !== before[kind]) counts[kind] = after[kind] - before[kind];
  const [old, now] = [versionsOf(before), versionsOf(after)];
  const namesOf = ({ items }: SiteContent, isChosen: (id: string, version: string) => boolean) =>
    items
      .filter(([id, , version]) => isChosen(id, version))
      .map(([, name]) => name)
      .slice(0, maxNames);
  return {
    counts,
    // Otherwise there was another in between, which is no longer kept.
    ...(after.since === name && { edited: after.edited }),
    installed: namesOf(after, (id) => !old.has(id)),
    updated: namesOf(after, (id, version) => old.has(id) && old.get(id) !== version),
    removed: namesOf(before, (id) => !now.has(id)),
  };
}

function versionsOf({ items }: SiteContent): Map<string, string> {
  return new Map(items.map(([id, , version]) => [id, version]));
}
