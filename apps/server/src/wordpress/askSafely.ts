import type { z } from "zod";
import { AppError } from "../platform/AppError.ts";
import type { SiteRow } from "./queries.ts";
import { requestSafely } from "./requestSite.ts";
import { siteOf, type WordPress } from "./WordPress.ts";

/** Runs one of our programs in a site, without loading its plugins and theme, and its drop-ins only if they work. */
export async function askSafely<Answer>(
  wordpress: WordPress,
  row: SiteRow,
  { path, server }: { path: string; server: Record<string, string> },
  schema: z.ZodType<Answer>,
): Promise<Answer> {
  // Not the platform's own request: while the site is being moved, nothing may write to it.
  const request = { url: "/", script: { in: "nido", path }, isOwn: false } as const;
  const site = siteOf(wordpress, row);
  try {
    // The site may print anything.
    return schema.parse(JSON.parse(await requestSafely(wordpress, site, { ...request, server })));
  } catch (error) {
    // What does not fit the schema may be long, and is the site's.
    wordpress.log.warn({ reason: String(error).slice(0, 500), project: row.id }, `could not ask a site by ${path}`);
    throw new AppError("error_wordpress_silent");
  }
}
