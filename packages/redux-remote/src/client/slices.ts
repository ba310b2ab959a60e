import type { Reducer, UnknownAction } from "redux";
import { applyDiff, type Diff } from "../diff.ts";
import { type RemoteFailure, revisionOf, type Versioned } from "../protocol.ts";
import { loaded, lost, prefix, pushed, reset, signedOut } from "./actionTypes.ts";

export interface RemoteSlices<State> {
  /** null until the state has been loaded, and after signing out */
  remoteStore: State | null;
  /** the type of the last remote action, "" after a reset */
  remoteAction: string;
  remoteError: RemoteFailure | null;
  /** whether the last attempt to reach the server failed, so that the state may be stale */
  remoteLost: boolean;
}

export function createRemoteReducers<State extends Versioned>() {
  const remoteStore: Reducer<State | null> = (state = null, action: UnknownAction) => {
    if (action.type === signedOut) return null;
    if (action.type === loaded) return action["payload"] as State;
    if (action.type === pushed || isResult(action, "SUCCESS")) return withDiff(state, action["payload"] as Diff);
    return state;
  };

  const remoteAction: Reducer<string> = (state = "", action) => {
    if (action.type === reset || action.type === signedOut) return "";
    return /^@redux-remote\/[A-Z]/.test(action.type) ? action.type : state;
  };

  const remoteError: Reducer<RemoteFailure | null> = (state = null, action: UnknownAction) => {
    if (isResult(action, "ERROR")) return action["payload"] as RemoteFailure;
    return action.type.startsWith(`${prefix}/`) && ![loaded, pushed, lost].includes(action.type) ? null : state;
  };

  const remoteLost: Reducer<boolean> = (state = false, { type }) => {
    if (type === lost) return true;
    return type === loaded || type === pushed || type === signedOut ? false : state;
  };

  return { remoteStore, remoteAction, remoteError, remoteLost };
}

/** Whether the diff is the next one for this state, is already included in it, or leaves a gap in the revisions. */
export function fits(state: Versioned | null, diff: Diff): "next" | "old" | "gap" {
  const rev = revisionOf(diff);
  if (state && rev <= state.rev) return "old";
  return state && rev === state.rev + 1 ? "next" : "gap";
}

function withDiff<State extends Versioned>(state: State | null, diff: Diff): State | null {
  return state && fits(state, diff) === "next" ? applyDiff(state, diff) : state;
}

function isResult(action: UnknownAction, suffix: "SUCCESS" | "ERROR"): boolean {
  return action.type.startsWith(`${prefix}/`) && action.type.endsWith(`_${suffix}`);
}
