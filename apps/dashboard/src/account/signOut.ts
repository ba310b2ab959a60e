import { callTimeoutMs } from "@nido/contract";
import { serverPaths } from "../paths.ts";

/** Ends the session of this browser. Resolves with false if the server did not confirm it. */
export async function signOut(): Promise<boolean> {
  const response = await fetch(serverPaths.signOut, { signal: AbortSignal.timeout(callTimeoutMs) }).catch(
    () => undefined,
  );
  return response?.ok ?? false;
}
