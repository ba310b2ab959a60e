import { useSyncExternalStore } from "react";
import { ApiError } from "../api/api.ts";

type End = (isProven: boolean) => void;

let pending: End | undefined;
const listeners = new Set<() => void>();

/** Asks the customer to prove who they are. Resolves with whether they did. */
export function requestProof(): Promise<boolean> {
  pending?.(false);
  return new Promise((resolve) => {
    set((isProven) => {
      set(undefined);
      resolve(isProven);
    });
  });
}

/** Ends the current request; undefined if there is none. */
export function useProofRequest(): End | undefined {
  return useSyncExternalStore(subscribe, () => pending);
}

/** Gives the current request up. */
export function endProof() {
  pending?.(false);
}

/** Makes a call. If it needs a recent proof, asks for it and makes the call again. */
export async function withProof<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  try {
    return await call();
  } catch (error) {
    const isNeeded = error instanceof ApiError && error.key === "error_proof_needed";
    if (!isNeeded || !(await requestProof())) throw error;
    return call();
  }
}

function set(next: End | undefined) {
  pending = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
