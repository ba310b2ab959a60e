import { findUser, updateUser } from "../account/queries.ts";
import { findDeletion } from "../activity/queries.ts";
import { record } from "../activity/record.ts";
import type { Accounts } from "../auth/Accounts.ts";
import { browserAs } from "../auth/devices.ts";
import { endOtherSessions, lockOwner, type Session } from "../auth/sessions.ts";
import { dropPending } from "../auth/verifications.ts";
import { cancelSubscription } from "../billing/cancelSubscription.ts";
import { resumeDeleted } from "../billing/restoreProject.ts";
import { takeDownEntry, takeDownProject } from "../billing/takeDownProject.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db, Tx } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AppError } from "../platform/AppError.ts";
import { keptUntil } from "../platform/keptUntil.ts";
import { archiveOwnProject } from "../projects/queries.ts";
import { findAllProjects, setClosed } from "./queries.ts";

/** Closes an account: its subscriptions end, its sites are archived, and for 30 days it can be reopened. */
export async function closeAccount(
  { db, endTokens }: Pick<Accounts, "endTokens"> & { db: Db },
  session: Session,
  email: string,
) {
  const { userId } = session;
  await db.transactionOf(userId, async (tx) => {
    const user = await lockOpen(tx, session);
    if (email.trim().toLowerCase() !== user.email.toLowerCase()) throw new AppError("error_confirmation_wrong");
    const actor = browserAs(session);
    const names: string[] = [];
    for (const { id, archivedAt } of await findAllProjects(tx, userId)) {
      const project = archivedAt ? undefined : await archiveOwnProject(tx, userId, id);
      if (!project) continue;
      await takeDownProject(tx, project);
      const { renews } = await cancelSubscription(tx, project.subId);
      await record(tx, userId, actor, takeDownEntry("projectDeleted", project, renews));
      names.push(project.name);
    }
    const until = keptUntil();
    await setClosed(tx, userId);
    await endOtherSessions(tx, session);
    await endTokens(tx, userId);
    await dropPending(tx, userId);
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
    await announceChange(tx, userId);
  });
}

async function lockOpen(tx: Tx, session: Session) {
  if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
  const user = await findUser(tx, session.userId);
  if (!user || user.closedAt) throw new AppError("error_account_closed");
  return user;
}
