import { callTimeoutMs } from "@nido/contract";
import { serverPaths } from "../paths.ts";

export type SignInFault = "errors.error_invalid_credentials" | "errors.error_too_many_requests" | "login.unknown_error";
type Result = "in" | "second step" | { fault: SignInFault };

/** Signs in by e-mail and password. */
export async function signIn(email: string, password: string): Promise<Result> {
  const response = await fetch(serverPaths.signIn, {
    method: "POST",
    body: new URLSearchParams({ username: email, password }),
    signal: AbortSignal.timeout(callTimeoutMs),
  }).catch(() => undefined);
  if (response?.status === 202) return "second step";
  if (response?.ok) return "in";
  if (response?.status === 401) return { fault: "errors.error_invalid_credentials" };
  return { fault: response?.status === 429 ? "errors.error_too_many_requests" : "login.unknown_error" };
}
