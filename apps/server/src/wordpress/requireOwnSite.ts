import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnWordPress, findWordPress, type SiteRow } from "./queries.ts";

/** The customer's WordPress site, if it is active. Not a staging copy, for which it has to be asked. */
export async function requireOwnSite(db: Db, userId: string, id: string): Promise<SiteRow> {
  const own = await findOwnWordPress(db, userId, id);
  const site = own && (await findWordPress(db, own.id));
  if (!site || site.stagingOf) throw new AppError("error_project_not_found");
  return site;
}
