import { type ActionName, type ActionPayloads, categoryOf, toDomainHost } from "@nido/contract";
import { updateAddress, updateCompany, updateLanguage, updatePhone } from "../account/updateAccount.ts";
import { changePassword, checkCurrentPassword } from "../auth/changePassword.ts";
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
import { enqueue } from "../jobs/enqueue.ts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";
import { moveSiteJob } from "../wordpress/jobs.ts";

export interface ActionHandler<Payload> {
  /** Runs before the transaction, for checks whose effects must survive a failure, such as counting attempts. */
  before?(db: Db, session: Session, payload: Payload): Promise<void>;
  act(tx: Tx, session: Session, payload: Payload, sites: SiteAddresses): Promise<void>;
}

/** The handler of each remote action. */
export const actions: { [Name in ActionName]: ActionHandler<ActionPayloads[Name]> } = {
  DELETE_PROJECT: { act: (tx, { userId }, payload) => deleteProject(tx, userId, payload) },
  NEW_DOMAIN: {
    before: (db, _session, { domain }) => scheduleHolderCheck(db, toDomainHost(domain) ?? ""),
    act: (tx, { userId }, payload, sites) => addDomain(tx, userId, payload, sites),
  },
  DELETE_DOMAIN: {
    act: async (tx, { userId }, payload) => {
      const { id, recipe } = await deleteDomain(tx, userId, payload);
      // It may have been the primary domain.
      if (categoryOf(recipe) === "wordpress") await enqueue(tx, moveSiteJob, { projectId: id });
    },
  },
  CHECK_DOMAIN: { act: (tx, { userId }, payload) => recheckDomain(tx, userId, payload) },
  SET_PRIMARY_DOMAIN: {
    act: async (tx, { userId }, payload) => {
      const { id } = await setPrimary(tx, userId, payload);
      await enqueue(tx, moveSiteJob, { projectId: id });
    },
  },
  ROLL_BACK: { act: (tx, { userId }, payload) => rollBack(tx, userId, payload) },
  UPDATE_USER_ADDRESS: { act: updatingAccount(updateAddress) },
  UPDATE_USER_PHONE: { act: updatingAccount(updatePhone) },
  UPDATE_USER_COMPANY: { act: updatingAccount(updateCompany) },
  UPDATE_USER_LANGUAGE: { act: updatingAccount(updateLanguage) },
  UPDATE_USER_PASSWORD: {
    before: checkCurrentPassword,
    act: async (tx, session, payload) => {
      await changePassword(tx, session, payload);
      await endCliLogins(tx, session.userId);
      await removeGrantsOfUser(tx, session.userId);
    },
  },
};

/** Changes the account, and enqueues the update of the customer at the payment provider. */
function updatingAccount<Payload>(update: (tx: Tx, userId: string, payload: Payload) => Promise<void>) {
  return async (tx: Tx, { userId }: Session, payload: Payload) => {
    await update(tx, userId, payload);
    await requestCustomerSync(tx, userId);
  };
}
