import { type ActionName, type ActionPayloads, categoryOf, toDomainHost } from "@nido/contract";
import {
  updateAddress,
  updateCompany,
  updateLanguage,
  updateMutedMail,
  updatePhone,
} from "../account/updateAccount.ts";
import { changePassword, checkCurrentPassword } from "../auth/changePassword.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import type { Session } from "../auth/sessions.ts";
import { requestCustomerSync } from "../billing/customers/requestCustomerSync.ts";
import { deleteProject } from "../billing/deleteProject.ts";
import { endCliLogins } from "../cli/accessTokens.ts";
import { removeGrantsOfUser } from "../cli/grants.ts";
import type { Db, Tx } from "../db/connect.ts";
import { rollBack } from "../deploys/rollBack.ts";
import { addDomain } from "../domains/addDomain.ts";
import { deleteDomain } from "../domains/deleteDomain.ts";
import { scheduleHolderCheck } from "../domains/queries.ts";
import { recheckDomain } from "../domains/recheckDomain.ts";
import { setPrimary } from "../domains/setPrimary.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { setHsts } from "../projects/setHsts.ts";
import { moveSiteJob } from "../wordpress/jobs.ts";

export interface ActionContext {
  db: Db;
  sites: SiteAddresses;
  limiter: RateLimiter;
}

/**
 * Prepares an action, and returns what it does in its transaction. The preparation is for slow work, and for checks whose
 * effects must survive a failure, such as counting attempts.
 */
export type ActionHandler<Payload> = (context: ActionContext, session: Session, payload: Payload) => Act | Promise<Act>;
type Act = (tx: Tx) => Promise<void>;

/** The handler of each remote action. */
export const actions: { [Name in ActionName]: ActionHandler<ActionPayloads[Name]> } = {
  DELETE_PROJECT: (_context, session, payload) => {
    requireRecentProof(session);
    return (tx) => deleteProject(tx, session.userId, payload);
  },
  NEW_DOMAIN: async ({ db, sites }, { userId }, payload) => {
    await scheduleHolderCheck(db, toDomainHost(payload.domain) ?? "");
    return (tx) => addDomain(tx, userId, payload, sites);
  },
  DELETE_DOMAIN:
    (_context, { userId }, payload) =>
    async (tx) => {
      const { project, wasPrimary } = await deleteDomain(tx, userId, payload);
      if (wasPrimary && categoryOf(project.recipe) === "wordpress")
        await enqueue(tx, moveSiteJob, { projectId: project.id });
    },
  CHECK_DOMAIN:
    (_context, { userId }, payload) =>
    (tx) =>
      recheckDomain(tx, userId, payload),
  SET_PRIMARY_DOMAIN:
    (_context, { userId }, payload) =>
    async (tx) => {
      const { project, isChanged } = await setPrimary(tx, userId, payload);
      if (isChanged) await enqueue(tx, moveSiteJob, { projectId: project.id });
    },
  SET_HSTS:
    (_context, { userId }, payload) =>
    (tx) =>
      setHsts(tx, userId, payload),
  ROLL_BACK:
    (_context, { userId }, payload) =>
    (tx) =>
      rollBack(tx, userId, payload),
  UPDATE_USER_ADDRESS: updatingAccount(updateAddress),
  UPDATE_USER_PHONE: updatingAccount(updatePhone),
  UPDATE_USER_COMPANY: updatingAccount(updateCompany),
  UPDATE_USER_LANGUAGE: updatingAccount(updateLanguage),
  UPDATE_MUTED_MAIL:
    (_context, { userId }, payload) =>
    (tx) =>
      updateMutedMail(tx, userId, payload),
  UPDATE_USER_PASSWORD: async ({ db, limiter }, session, payload) => {
    await checkCurrentPassword(db, limiter, session, payload);
    const change = await changePassword(session, payload);
    return async (tx) => {
      await change(tx);
      await removeGrantsOfUser(tx, session.userId);
      await endCliLogins(tx, session.userId);
    };
  },
};

/** Changes the account, and enqueues the update of the customer at the payment provider. */
function updatingAccount<Payload>(
  update: (tx: Tx, userId: string, payload: Payload) => Promise<void>,
): ActionHandler<Payload> {
  return (_context, { userId }, payload) =>
    async (tx) => {
      await update(tx, userId, payload);
      await requestCustomerSync(tx, userId);
    };
}
