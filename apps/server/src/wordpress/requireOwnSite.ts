import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnWordPress, findWordPress, type SiteRow } from "./queries.ts";
import type { SiteOwner } from "./SiteOwner.ts";

/** The customer's WordPress site, if it is active. Not a staging copy, for which it has to be asked. */
export async function requireOwnSite(db: Db, { userId, projectId }: SiteOwner, id: string): Promise<SiteRow> {
  const own = projectId === null || projectId === id ? await findOwnWordPress(db, userId, id) : undefined;
  const site = own && (await findWordPress(db, own.id));
  if (!site || site.stagingOf) throw new AppError("error_project_not_found");
  return site;
}
