import type { Diff } from "./diff.ts";

/** The protocol requires one field of a state: a revision that grows by one with every change. */
export interface Versioned {
  rev: number;
}

export interface RemoteAction {
  type: string;
  payload: unknown;
  /** A server that reads the action later, by its own clock, must not perform it: the client has given up by then. */
  until?: number | undefined;
}

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
