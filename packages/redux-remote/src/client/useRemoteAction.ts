import { useCallback, useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import type { RemoteFailure } from "../protocol.ts";
import { conflict, failed, reset as resetType, sent, succeeded } from "./actionTypes.ts";
import type { RemoteSlices } from "./slices.ts";

export interface RemoteProgress<Payload> {
  trigger(payload: Payload): void;
  inProgress: boolean;
  done: boolean;
  error: RemoteFailure | null;
  /** Clears the result of the last action. */
  reset(): void;
}

/** Dispatches a remote action and tracks its progress. `Payloads` maps action names to payload types. */
export function useRemoteAction<Payloads, Name extends keyof Payloads & string>(
  name: Name,
): RemoteProgress<Payloads[Name]> {
  const dispatch = useDispatch();
  const remoteAction = useSelector((slices: RemoteSlices<unknown>) => slices.remoteAction);
  const remoteError = useSelector((slices: RemoteSlices<unknown>) => slices.remoteError);
  const [own, setOwn] = useState<OwnAction>("idle");

  const trigger = useCallback(
    (payload: Payloads[Name]) => setOwn(dispatch({ type: sent(name), payload }) ? "refused" : "sent"),
    [dispatch, name],
  );
  const reset = useCallback(() => {
    setOwn("idle");
    dispatch({ type: resetType });
  }, [dispatch]);

  return { trigger, reset, ...progressOf(name, own, remoteAction, remoteError) };
}

/** idle: this component has sent nothing; refused: another action was pending when it tried */
type OwnAction = "idle" | "sent" | "refused";

/** The progress of this component's action, derived from the last remote action of the whole store. */
export function progressOf(name: string, own: OwnAction, remoteAction: string, remoteError: RemoteFailure | null) {
  const progress = { inProgress: false, done: false, error: null };
  if (own === "idle" || remoteAction === "") return progress;
  if (own === "refused") return { ...progress, error: conflict };
  if (remoteAction === sent(name)) return { ...progress, inProgress: true };
  if (remoteAction === succeeded(name)) return { ...progress, done: true };
  return { ...progress, error: remoteAction === failed(name) ? remoteError : conflict };
}
