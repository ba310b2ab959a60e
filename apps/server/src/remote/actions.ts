import { type ActionName, type ActionPayloads, toDomainHost } from "@nido/contract";
import { updateAddress, updateCompany, updateLanguage, updatePhone } from "../account/updateAccount.ts";
import { changePassword, checkCurrentPassword } from "../auth/changePassword.ts";
import type { Session } from "../auth/sessions.ts";
import { deleteProject } from "../billing/deleteProject.ts";
import type { Db, Tx } from "../db/connect.ts";
import { rollBack } from "../deploys/rollBack.ts";
import { addDomain } from "../domains/addDomain.ts";
import { deleteDomain } from "../domains/deleteDomain.ts";
import { hastenHolder } from "../domains/queries.ts";
import { recheckDomain } from "../domains/recheckDomain.ts";
import { setPrimary } from "../domains/setPrimary.ts";
import type { Sites } from "../state/presentProject.ts";

export interface Handler<Payload> {
  /** What must hold, where finding out leaves a trace that a failure must not undo. */
  before?(db: Db, session: Session, payload: Payload): Promise<void>;
  act(tx: Tx, session: Session, payload: Payload, sites: Sites): Promise<void>;
}

/** What each remote action does. */
export const actions: { [Name in ActionName]: Handler<ActionPayloads[Name]> } = {
  DELETE_PROJECT: { act: (tx, { userId }, payload) => deleteProject(tx, userId, payload) },
  NEW_DOMAIN: {
    before: (db, _session, { domain }) => hastenHolder(db, toDomainHost(domain) ?? ""),
    act: (tx, { userId }, payload, sites) => addDomain(tx, userId, payload, sites),
  },
  DELETE_DOMAIN: { act: (tx, { userId }, payload) => deleteDomain(tx, userId, payload) },
  CHECK_DOMAIN: { act: (tx, { userId }, payload) => recheckDomain(tx, userId, payload) },
  SET_PRIMARY_DOMAIN: { act: (tx, { userId }, payload) => setPrimary(tx, userId, payload) },
  ROLL_BACK: { act: (tx, { userId }, payload) => rollBack(tx, userId, payload) },
  UPDATE_USER_ADDRESS: { act: (tx, { userId }, payload) => updateAddress(tx, userId, payload) },
  UPDATE_USER_PHONE: { act: (tx, { userId }, payload) => updatePhone(tx, userId, payload) },
  UPDATE_USER_COMPANY: { act: (tx, { userId }, payload) => updateCompany(tx, userId, payload) },
  UPDATE_USER_LANGUAGE: { act: (tx, { userId }, payload) => updateLanguage(tx, userId, payload) },
  UPDATE_USER_PASSWORD: { before: checkCurrentPassword, act: changePassword },
};
