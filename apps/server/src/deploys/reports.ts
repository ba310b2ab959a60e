import { countFindings, type SiteReport, siteReportSchema } from "@nido/contract";
import { eq } from "drizzle-orm";
import type { Db } from "../db/connect.ts";
import { deploys } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnDeploy } from "./queries.ts";

const maxFindings = 1_000_000;

/** What was noticed before a deploy was published. A site is published even if its report cannot be read. */
export function parseReport(text: string): { report: SiteReport; findings: number } | undefined {
  try {
    const report = siteReportSchema.parse(JSON.parse(text)) as SiteReport;
    return { report, findings: Math.min(countFindings(report), maxFindings) };
  } catch {
    return undefined;
  }
}

export async function findReport(db: Db, userId: string, deployId: string): Promise<SiteReport> {
  const deploy = await findOwnDeploy(db, userId, deployId);
  if (!deploy) throw new AppError("error_deploy_not_found");
  const [row] = await db.select({ report: deploys.report }).from(deploys).where(eq(deploys.id, deploy.id));
  return row?.report ?? { findings: [], bytes: {} };
}
