import type { Diff } from "./diff.ts";

/** The one thing the protocol asks of a state: a number that grows by one with every change. */
export interface Versioned {
  rev: number;
}

export interface RemoteAction {
  type: string;
  payload: unknown;
}

/** The body of every answer that is not a diff. */
export interface RemoteFailure {
  error: string;
}

/** Every message of the socket but whole states; `action` is null for a change that was made elsewhere. */
export type SocketMessage = { action: string | null; diff: Diff } | ({ action: string | null } & RemoteFailure);

/** The socket closes with this code when its session has ended. */
export const closedSignedOut = 4401;

/** The revision a diff leads to, or NaN for one that names none. */
export function revisionOf(diff: Diff): number {
  const change = diff["rev"];
  return change?.op === 0 && typeof change.v === "number" ? change.v : Number.NaN;
}
