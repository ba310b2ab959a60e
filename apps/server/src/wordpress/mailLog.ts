import type { SiteMailStatus, siteMailProblems } from "@nido/contract";
import { and, desc, eq, lt, sql } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { siteMail } from "../db/schema.ts";

const keptOfSite = 100;
const maxTextLength = 200;

interface Outcome {
  name: string;
  recipients?: string[];
  subject?: string | undefined;
  status: SiteMailStatus;
  /** a reason of ours, or what the mail server said */
  problem?: (typeof siteMailProblems)[number] | (string & {});
}

/** Records what became of a message, or of another attempt to send it. */
export async function logMessage(db: Db, projectId: string, outcome: Outcome) {
  const { name, recipients = [], subject = "", status, problem = "" } = outcome;
  const changed = { status, problem: shorten(problem), at: sql`now()` };
  await db
    .insert(siteMail)
    .values({ projectId, name, recipients: shorten(recipients.join(", ")), subject: shorten(subject), ...changed })
    .onConflictDoUpdate({ target: [siteMail.projectId, siteMail.name], set: changed });
}

/** The newest first. */
export function findMessages(db: Db, projectId: string) {
  return db
    .select()
    .from(siteMail)
    .where(eq(siteMail.projectId, projectId))
    .orderBy(desc(siteMail.id))
    .limit(keptOfSite);
}

/** Each site has a share of the log. */
export async function trimLog(db: Db, projectId: string) {
  const oldest = sql`(select id from ${siteMail} where project_id = ${projectId} order by id desc offset ${keptOfSite} limit 1)`;
  await db.delete(siteMail).where(and(eq(siteMail.projectId, projectId), sql`id <= ${oldest}`));
}

export async function removeOldSiteMail(db: Db) {
  await db.delete(siteMail).where(lt(siteMail.at, sql`now() - interval '14 days'`));
}

/** The site chooses these texts. Control characters have no place in them. */
function shorten(text: string): string {
  return text.replace(/\p{Cc}+/gu, " ").slice(0, maxTextLength);
}
