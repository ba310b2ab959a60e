import { findUser, updateUser } from "../account/queries.ts";
import { findDeletion } from "../activity/queries.ts";
import { record } from "../activity/record.ts";
import type { Accounts } from "../auth/Accounts.ts";
import { browserAs } from "../auth/devices.ts";
import { announceSessions, endOtherSessions, lockOwner, type Session } from "../auth/sessions.ts";
import { dropPending } from "../auth/verifications.ts";
import { endProject } from "../billing/deleteProject.ts";
import { withdrawCheckoutsJob } from "../billing/jobs.ts";
import { resumeDeleted } from "../billing/restoreProject.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { keptUntil } from "../platform/keptUntil.ts";
import { findAllProjects, setClosed } from "./queries.ts";

/** Closes an account: its subscriptions end, its sites are archived, and for 30 days it can be reopened. */
export async function closeAccount(db: Db, endTokens: Accounts["endTokens"], session: Session, email: string) {
  const { userId } = session;
  await db.transactionOf(userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
    const user = await findUser(tx, userId);
    if (!user || user.closedAt) throw new AppError("error_account_closed");
    if (email.trim().toLowerCase() !== user.email.toLowerCase()) throw new AppError("error_confirmation_wrong");
    const actor = browserAs(session);
    const names: string[] = [];
    for (const { id } of await findAllProjects(tx, userId)) {
      const ended = await endProject(tx, userId, id);
      if (!ended) continue; // deleted before
      await record(tx, userId, actor, ended.activity);
      names.push(ended.project.name);
    }
    const until = keptUntil();
    await setClosed(tx, userId);
    await endOtherSessions(tx, session);
    await endTokens(tx, userId);
    await dropPending(tx, userId);
    await enqueue(tx, withdrawCheckoutsJob, { userId });
    await record(tx, userId, actor, { kind: "accountClosed", params: { until } });
    await mailCustomer(tx, userId, "accountClosing", { until, projects: names });
    await announceChange(tx, userId);
  });
}

/** Reopens a closed account, with those of its projects whose paid period still runs. */
export async function reopenAccount(db: Db, session: Session) {
  const { userId } = session;
  await db.transactionOf(userId, async (tx) => {
    if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
    const user = await findUser(tx, userId);
    if (!user?.closedAt) throw new AppError("error_not_found");
    const actor = browserAs(session);
    await updateUser(tx, userId, { closedAt: null });
    for (const project of await findAllProjects(tx, userId)) {
      // Those that were deleted before stay deleted.
      if (!project.archivedAt || project.archivedAt < user.closedAt) continue;
      if (!(await resumeDeleted(tx, project))) continue;
      const undoes = (await findDeletion(tx, project.id))?.id;
      const entry = { kind: "projectRestored", params: { project: project.name }, projectId: project.id } as const;
      await record(tx, userId, actor, { ...entry, ...(undoes && { undoes }) });
    }
    await record(tx, userId, actor, { kind: "accountReopened", params: {} });
    await mailCustomer(tx, userId, "accountReopened", {});
    await announceSessions(tx, userId);
    await announceChange(tx, userId);
  });
}
