import { and, eq } from "drizzle-orm";
import type { Activity } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { sitePasswords } from "../db/schema.ts";
import { AppError } from "../platform/AppError.ts";
import { findOwnProject } from "../projects/queries.ts";

/** Visitors of the site, or of the branch, need the password with this hash from now on; without one, they need none. */
export async function setSitePassword(
  tx: Tx,
  userId: string,
  { projectId, branch, hash }: { projectId: string; branch: string; hash: string | null },
): Promise<Activity | undefined> {
  const project = await findOwnProject(tx, userId, projectId);
  if (!project) throw new AppError("error_project_not_found");
  if (hash === null) {
    const isIt = and(eq(sitePasswords.projectId, projectId), eq(sitePasswords.branch, branch));
    const { rowCount } = await tx.delete(sitePasswords).where(isIt);
    if (!rowCount) return undefined;
  } else
    await tx
      .insert(sitePasswords)
      .values({ projectId, branch, hash })
      .onConflictDoUpdate({
        target: [sitePasswords.projectId, sitePasswords.branch],
        set: { hash, setAt: new Date() },
      });
  return {
    kind: "sitePasswordChanged",
    params: { project: project.name, branch, on: hash !== null },
    projectId,
  };
}
