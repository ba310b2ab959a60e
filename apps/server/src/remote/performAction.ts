import { type ActionName, actionSchemas } from "@nido/contract";
import { createDiff, type Diff, type RemoteAction } from "@nido/redux-remote";
import { record } from "../activity/record.ts";
import { browserAs } from "../auth/devices.ts";
import { lockOwner, type Session } from "../auth/sessions.ts";
import { announceChange } from "../db/announceChange.ts";
import { AppError } from "../platform/AppError.ts";
import { parseInput } from "../platform/parseInput.ts";
import { loadState } from "../state/loadState.ts";
import { type ActionContext, type ActionHandler, actions } from "./actions.ts";

/** Performs one remote action and returns the diff of exactly that change. */
export async function performAction(
  context: ActionContext,
  session: Session,
  { type, payload }: RemoteAction,
): Promise<Diff> {
  if (!isActionName(type)) throw new AppError("error_action_unknown");
  const input = parseInput(actionSchemas[type], payload);
  const { db, sites } = context;
  const prepare = actions[type] as ActionHandler<unknown>;

  // One at a time for each customer, including the preparation: a password hash keeps a thread busy.
  return db.customers.run(session.userId, async () => {
    const act = await prepare(context, session, input);
    return db.transaction(async (tx) => {
      if (!(await lockOwner(tx, session))) throw new AppError("error_signed_out");
      const old = await loadState(tx, session.userId, sites);
      if (old?.user.removal_at) throw new AppError("error_account_closed");
      const activity = await act(tx);
      if (activity) await record(tx, session.userId, browserAs(session), activity);
      await announceChange(tx, session.userId);
      const changed = await loadState(tx, session.userId, sites);
      if (!old || !changed) throw new AppError("error_signed_out");
      return createDiff(old, changed);
    });
  });
}

function isActionName(type: string): type is ActionName {
  return Object.hasOwn(actionSchemas, type);
}
