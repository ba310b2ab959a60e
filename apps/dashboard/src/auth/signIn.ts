import { callTimeoutMs } from "../api/api.ts";
import { serverPaths } from "../paths.ts";

export type SignInFault = "errors.error_invalid_credentials" | "errors.error_too_many_requests" | "login.unknown_error";

/** Signs in by e-mail and password. Resolves with the text key of the failure, or with undefined on success. */
export async function signIn(email: string, password: string): Promise<SignInFault | undefined> {
  const response = await fetch(serverPaths.signIn, {
    method: "POST",
    body: new URLSearchParams({ username: email, password }),
    signal: AbortSignal.timeout(callTimeoutMs),
  }).catch(() => undefined);
  if (response?.ok) return undefined;
  if (response?.status === 401) return "errors.error_invalid_credentials";
  return response?.status === 429 ? "errors.error_too_many_requests" : "login.unknown_error";
}
