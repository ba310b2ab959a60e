import { type ActivityEntry, categoryOf, mainBranch } from "@nido/contract";
import { type ActivityRow, findDeletion, findOwnEntry } from "../activity/queries.ts";
import type { Activity } from "../activity/record.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import type { Session } from "../auth/sessions.ts";
import { findResumable } from "../billing/queries.ts";
import { isBuyable, resumeDeleted } from "../billing/restoreProject.ts";
import type { Tx } from "../db/connect.ts";
import { findBranch } from "../deploys/branches.ts";
import { type BranchChange, type BranchRemoval, restoreBranch, rollBack } from "../deploys/changeBranch.ts";
import { findFinished } from "../deploys/queries.ts";
import { findPrimary, isAssigned, isVerified } from "../domains/queries.ts";
import { type DomainRemoval, restoreDomains } from "../domains/restoreDomains.ts";
import { controlled, type PrimaryChange, setPrimary } from "../domains/setPrimary.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { AppError } from "../platform/AppError.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { findOwnArchived, findOwnProject } from "../projects/queries.ts";
import { hasBackupRow } from "../wordpress/backupRows.ts";
import { moveSiteJob } from "../wordpress/jobs.ts";
import type { RestoreUndo } from "../wordpress/lifecycle/restoreOwnSite.ts";
import { findUsername, refuseUndone } from "../wordpress/queries.ts";
import { requestRestore } from "../wordpress/requestRestore.ts";

interface Entry extends ActivityRow {
  userId: string;
  projectId: string;
}

/** How one kind of activity is undone. */
interface Undo {
  /** whether that is possible now: nothing may have changed in between */
  find(tx: Tx, entry: Entry): Promise<ActivityEntry["undo"]>;
  perform(tx: Tx, entry: Entry, sites: SiteAddresses): Promise<Activity | undefined>;
}

const undoDeletion: Undo = {
  find: async (tx, { id, userId, projectId }) => {
    const project = await findOwnArchived(tx, userId, { id: projectId });
    // A project may have been deleted more than once.
    if (!project || (await findDeletion(tx, projectId))?.id !== id) return undefined;
    if (await findResumable(tx, project.subId)) return "free";
    if (!(await isBuyable(tx, project))) return undefined;
    return { category: categoryOf(project.recipe), username: await findUsername(tx, project) };
  },
  perform: async (tx, { userId, projectId }) => {
    const project = await findOwnArchived(tx, userId, { id: projectId });
    if (!project || !(await resumeDeleted(tx, project))) return undefined;
    return { kind: "projectRestored", params: { project: project.name }, projectId };
  },
};

const undoShowing: Undo = {
  find: async (tx, { userId, projectId, undo, params }) => {
    const { before, after } = undo as BranchChange;
    if ((await findOwnProject(tx, userId, projectId))?.status !== "active") return undefined;
    if ((await findBranch(tx, projectId, branchOf(params)))?.deployId !== after) return undefined;
    return (await findFinished(tx, projectId, before)) ? "free" : undefined;
  },
  perform: async (tx, { userId, projectId, undo, params }) => {
    const { before } = undo as BranchChange;
    return rollBack(tx, userId, { project_id: projectId, deploy_id: before, branch: branchOf(params) });
  },
};

const undoRestoring: Undo = {
  find: async (tx, { userId, projectId, undo }) => {
    const { backup } = undo as RestoreUndo;
    if ((await findOwnProject(tx, userId, projectId))?.status !== "active") return undefined;
    return (await hasBackupRow(tx, projectId, backup)) ? "free" : undefined;
  },
  perform: async (tx, { userId, projectId, undo }) => {
    const project = await findOwnProject(tx, userId, projectId);
    if (!project) return undefined;
    const { targets } = undo as RestoreUndo;
    if (targets) await refuseUndone(tx, projectId, targets);
    return requestRestore(tx, project, undo as RestoreUndo);
  },
};

const undos: Partial<Record<ActivityRow["kind"], Undo>> = {
  projectDeleted: undoDeletion,
  projectEnded: undoDeletion,

  domainRemoved: {
    find: async (tx, { userId, projectId, undo }) => {
      const { domain } = undo as DomainRemoval;
      if (!(await findOwnProject(tx, userId, projectId)) || (await isAssigned(tx, userId, domain))) return undefined;
      return "free";
    },
    perform: async (tx, { userId, projectId, undo }) => {
      const project = await findOwnProject(tx, userId, projectId);
      const { redirecting = [], ...removed } = undo as DomainRemoval;
      // Another domain may have become the primary one.
      const isPrimary = removed.isPrimary && !(await findPrimary(tx, projectId));
      const [domain] = project
        ? await restoreDomains(tx, userId, projectId, [{ ...removed, isPrimary }, ...redirecting])
        : [];
      if (!project || !domain) return undefined;
      return { kind: "domainAdded", params: { project: project.name, domain }, projectId };
    },
  },

  primaryChanged: {
    find: async (tx, { userId, projectId, undo }) => {
      const { before, after } = undo as PrimaryChange;
      if (!(await findOwnProject(tx, userId, projectId))) return undefined;
      const isLatest = ((await findPrimary(tx, projectId))?.id ?? controlled) === after;
      return isLatest && (before === controlled || (await isVerified(tx, projectId, before))) ? "free" : undefined;
    },
    perform: async (tx, { userId, projectId, undo }, sites) => {
      const { before } = undo as PrimaryChange;
      const activity = await setPrimary(tx, userId, { project_id: projectId, domain_id: before }, sites);
      if (activity) await enqueue(tx, moveSiteJob, { projectId });
      return activity;
    },
  },

  rolledBack: undoShowing,
  promoted: undoShowing,

  backupRestored: undoRestoring,
  stagingPushed: undoRestoring,
  itemsUpdated: undoRestoring,
  commandRun: undoRestoring,
  adminChanged: undoRestoring,

  branchRemoved: {
    find: async (tx, { userId, projectId, undo, params }) => {
      const { deployId } = undo as BranchRemoval;
      if ((await findOwnProject(tx, userId, projectId))?.status !== "active") return undefined;
      if (await findBranch(tx, projectId, branchOf(params))) return undefined;
      return (await findFinished(tx, projectId, deployId)) ? "free" : undefined;
    },
    perform: async (tx, { userId, projectId, undo, params }) =>
      restoreBranch(tx, userId, projectId, branchOf(params), undo as BranchRemoval),
  },
};

function branchOf(params: unknown): string {
  return (params as { branch?: string }).branch ?? mainBranch;
}

/** Whether an entry of the customer's log can be undone now. */
export async function findUndo(tx: Tx, userId: string, row: ActivityRow): Promise<ActivityEntry["undo"]> {
  if (!row.undo || row.isUndone || !row.projectId) return undefined;
  return undos[row.kind]?.find(tx, { ...row, userId, projectId: row.projectId });
}

/** Undoes an entry of the customer's log, once. To take back a project is to pay for it again, so it needs a proof. */
export async function undo(tx: Tx, session: Session, id: number, sites: SiteAddresses): Promise<Activity> {
  const { userId } = session;
  const row = await findOwnEntry(tx, userId, id);
  if (!row?.projectId) throw new AppError("error_not_found");
  if (undos[row.kind] === undoDeletion) requireRecentProof(session);
  const how = await findUndo(tx, userId, row);
  if (how && how !== "free") throw new AppError("error_undo_payment");
  const entry = { ...row, userId, projectId: row.projectId };
  const activity = how && (await undos[row.kind]?.perform(tx, entry, sites));
  if (!activity) throw new AppError("error_undo_stale");
  return { ...activity, undoes: id };
}
