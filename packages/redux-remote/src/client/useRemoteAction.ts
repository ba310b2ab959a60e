import { useCallback, useState } from "react";
import { useDispatch, useSelector } from "react-redux";
import type { RemoteFailure } from "../protocol.ts";
import type { RemoteSlices } from "./slices.ts";
import { conflict, failed, reset as resetType, sent, succeeded } from "./types.ts";

export interface RemoteProgress<Payload> {
  trigger(payload: Payload): void;
  inProgress: boolean;
  done: boolean;
  error: RemoteFailure | null;
  /** Forgets how the last one went. */
  reset(): void;
}

/** One remote action as a component sees it. `Payloads` maps the names to what they carry. */
export function useRemoteAction<Payloads, Name extends keyof Payloads & string>(
  name: Name,
): RemoteProgress<Payloads[Name]> {
  const dispatch = useDispatch();
  const remoteAction = useSelector((slices: RemoteSlices<unknown>) => slices.remoteAction);
  const remoteError = useSelector((slices: RemoteSlices<unknown>) => slices.remoteError);
  const [mine, setMine] = useState<Mine>("idle");

  const trigger = useCallback(
    (payload: Payloads[Name]) => setMine(dispatch({ type: sent(name), payload }) ? "refused" : "sent"),
    [dispatch, name],
  );
  const reset = useCallback(() => {
    setMine("idle");
    dispatch({ type: resetType });
  }, [dispatch]);

  return { trigger, reset, ...progressOf(name, mine, remoteAction, remoteError) };
}

/** idle: this component sent nothing; refused: another action was pending when it tried */
type Mine = "idle" | "sent" | "refused";

/** How one component's action is going, told from the last action of all. */
export function progressOf(name: string, mine: Mine, remoteAction: string, remoteError: RemoteFailure | null) {
  const progress = { inProgress: false, done: false, error: null };
  if (mine === "idle" || remoteAction === "") return progress;
  if (mine === "refused") return { ...progress, error: conflict };
  if (remoteAction === sent(name)) return { ...progress, inProgress: true };
  if (remoteAction === succeeded(name)) return { ...progress, done: true };
  return { ...progress, error: remoteAction === failed(name) ? remoteError : conflict };
}
