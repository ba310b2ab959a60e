import { type BackupChanges, countedContent } from "@nido/contract";
import { z } from "zod";
import type { SiteContent } from "../db/schema.ts";
import { requestSite } from "./requestSite.ts";
import type { WordPress } from "./WordPress.ts";
import type { Site } from "./WordPressRuntime.ts";

const count = z.int().nonnegative();
const contentSchema: z.ZodType<SiteContent> = z.object({
  posts: count,
  pages: count,
  media: count,
  comments: count,
  users: count,
  edited: count,
  items: z.array(z.tuple([z.string().max(300), z.string().max(300), z.string().max(300)])).max(500),
});

const maxNames = 10;
const maxSeconds = 20;

/** Undefined if the site does not say. `since`: the time of the backup before */
export async function readContent(wordpress: WordPress, site: Site, since: Date): Promise<SiteContent | undefined> {
  const request = {
    url: "/",
    script: { in: "nido", path: "content.php" },
    server: { NIDO_SAFE: "1", NIDO_SINCE: since.toISOString().slice(0, 19).replace("T", " ") },
    seconds: maxSeconds,
  } as const;
  try {
    return contentSchema.parse(JSON.parse(await requestSite(wordpress, site, request)));
  } catch (error) {
    wordpress.log.warn({ reason: String(error).slice(0, 500), project: site.id }, "could not count a site's content");
    return undefined;
  }
}

export function contentChanges(before: SiteContent, after: SiteContent): BackupChanges {
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
    edited: after.edited,
    installed: namesOf(after, (id) => !old.has(id)),
    updated: namesOf(after, (id, version) => old.has(id) && old.get(id) !== version),
    removed: namesOf(before, (id) => !now.has(id)),
  };
}

function versionsOf({ items }: SiteContent): Map<string, string> {
  return new Map(items.map(([id, , version]) => [id, version]));
}
