import { type ActionName, type ActionPayloads, type ActivityParams, categoryOf, toDomainHost } from "@nido/contract";
import {
  updateAddress,
  updateCompany,
  updateLanguage,
  updateMutedMail,
  updatePhone,
} from "../account/updateAccount.ts";
import type { Activity } from "../activity/record.ts";
import { changePassword, checkCurrentPassword } from "../auth/changePassword.ts";
import { requireRecentProof } from "../auth/proofs.ts";
import type { Session } from "../auth/sessions.ts";
import { requestCustomerSync } from "../billing/customers/requestCustomerSync.ts";
import { deleteProject } from "../billing/deleteProject.ts";
import { setRenewal } from "../billing/setRenewal.ts";
import { endCliLogins } from "../cli/accessTokens.ts";
import { removeGrantsOfUser } from "../cli/grants.ts";
import type { Db, Tx } from "../db/connect.ts";
import { promote, removeBranch, rollBack } from "../deploys/changeBranch.ts";
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
import { undo } from "./undo.ts";

export interface ActionContext {
  db: Db;
  sites: SiteAddresses;
  limiter: RateLimiter;
}

/**
 * Prepares an action, and returns what it does in its transaction. That returns what is recorded about it. The
 * preparation is for slow work, and for checks whose effects must survive a failure, such as counting attempts.
 */
export type ActionHandler<Payload> = (context: ActionContext, session: Session, payload: Payload) => Act | Promise<Act>;
type Act = (tx: Tx) => Promise<Activity | undefined>;

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
      const { project, wasPrimary, activity } = await deleteDomain(tx, userId, payload);
      if (wasPrimary && categoryOf(project.recipe) === "wordpress")
        await enqueue(tx, moveSiteJob, { projectId: project.id });
      return activity;
    },
  CHECK_DOMAIN:
    (_context, { userId }, payload) =>
    async (tx) => {
      await recheckDomain(tx, userId, payload);
      return undefined;
    },
  SET_PRIMARY_DOMAIN:
    ({ sites }, { userId }, payload) =>
    async (tx) => {
      const activity = await setPrimary(tx, userId, payload, sites);
      if (activity) await enqueue(tx, moveSiteJob, { projectId: payload.project_id });
      return activity;
    },
  SET_HSTS:
    (_context, { userId }, payload) =>
    (tx) =>
      setHsts(tx, userId, payload),
  SET_RENEWAL:
    (_context, { userId }, payload) =>
    (tx) =>
      setRenewal(tx, userId, payload),
  ROLL_BACK:
    (_context, { userId }, payload) =>
    (tx) =>
      rollBack(tx, userId, payload),
  PROMOTE:
    (_context, { userId }, payload) =>
    (tx) =>
      promote(tx, userId, payload),
  DELETE_BRANCH:
    (_context, { userId }, payload) =>
    (tx) =>
      removeBranch(tx, userId, payload),
  UPDATE_USER_ADDRESS: updatingAccount("address", updateAddress),
  UPDATE_USER_PHONE: updatingAccount("phone", updatePhone),
  UPDATE_USER_COMPANY: updatingAccount("company", updateCompany),
  UPDATE_USER_LANGUAGE: updatingAccount("language", updateLanguage),
  UPDATE_MUTED_MAIL:
    (_context, { userId }, payload) =>
    async (tx) => {
      await updateMutedMail(tx, userId, payload);
      return { kind: "detailsChanged", params: { what: "mail" } };
    },
  UPDATE_USER_PASSWORD: async ({ db, limiter }, session, payload) => {
    await checkCurrentPassword(db, limiter, session, payload);
    const change = await changePassword(session, payload);
    return async (tx) => {
      await change(tx);
      await removeGrantsOfUser(tx, session.userId);
      await endCliLogins(tx, session.userId);
      return { kind: "passwordChanged", params: {} };
    };
  },
  UNDO:
    ({ sites }, session, payload) =>
    (tx) =>
      undo(tx, session, payload.activity_id, sites),
};

/** Changes the account, and enqueues the update of the customer at the payment provider. */
function updatingAccount<Payload>(
  what: ActivityParams["detailsChanged"]["what"],
  update: (tx: Tx, userId: string, payload: Payload) => Promise<void>,
): ActionHandler<Payload> {
  return (_context, { userId }, payload) =>
    async (tx) => {
      await update(tx, userId, payload);
      await requestCustomerSync(tx, userId);
      return { kind: "detailsChanged", params: { what } };
    };
}
