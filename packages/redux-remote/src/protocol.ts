import type { Diff } from "./diff.ts";

/** The protocol requires one field of a state: a revision that grows by one with every change. */
export interface Versioned {
  rev: number;
}

export interface RemoteAction {
  type: string;
  payload: unknown;
}

/**
 * The message before an action, and the header of an action by POST: a moment on the server's clock. A server that
 * reads the action later must not perform it, because the client has given up by then. It is not part of the action:
 * servers that do not know it answer with an error that the client ignores.
 */
export const untilMessage = "@until";
export const untilHeader = "x-until";

/** The body of an error response. */
export interface RemoteFailure {
  error: string;
}

/** A socket message other than a whole state. `action` is null for a change that this client did not make. */
export type SocketMessage = { action: string | null; diff: Diff } | ({ action: string | null } & RemoteFailure);

/** The close code of a socket whose session has ended. */
export const closedSignedOut = 4401;

/** The revision after the diff, or NaN for a diff without one. */
export function revisionOf(diff: Diff): number {
  const change = diff["rev"];
  return change?.op === 0 && typeof change.v === "number" ? change.v : Number.NaN;
}
