import { serverPaths } from "../paths.ts";

/** Ends the session of this browser; false where the server could not be told. */
export async function signOut(): Promise<boolean> {
  const response = await fetch(serverPaths.signOut, { signal: AbortSignal.timeout(20_000) }).catch(() => undefined);
  return response?.ok ?? false;
}
