import { countFindings, type SiteReport } from "@nido/contract";
import { and, eq, isNull } from "drizzle-orm";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { deploys } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnDeploy } from "./queries.ts";

const maxFindings = 1_000_000;

/** Keeps what was noticed before a deploy was published. The first report stays: a repeated request changes nothing. */
export async function keepReport(db: Db, userId: string, deployId: string, report: SiteReport) {
  await db.transactionOf(userId, async (tx) => {
    await lockUser(tx, userId);
    const deploy = await findOwnDeploy(tx, userId, deployId);
    if (!deploy) throw new AppError("error_deploy_not_found");
    await tx
      .update(deploys)
      .set({ report, findings: Math.min(countFindings(report), maxFindings) })
      .where(and(eq(deploys.id, deploy.id), isNull(deploys.report)));
    await announceChange(tx, userId);
  });
}

export async function findReport(db: Db, userId: string, deployId: string): Promise<SiteReport> {
  const deploy = await findOwnDeploy(db, userId, deployId);
  if (!deploy) throw new AppError("error_deploy_not_found");
  const [row] = await db.select({ report: deploys.report }).from(deploys).where(eq(deploys.id, deploy.id));
  return row?.report ?? { findings: [], bytes: {} };
}
