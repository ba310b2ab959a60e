import type { ErrorKey } from "@nido/contract";
import { AppError } from "../platform/AppError.ts";

const recentMinutes = 10;

/** Throws unless the customer signed in a few minutes ago. For actions whose effect outlasts a stolen session. */
export function requireRecentSignIn(signedInAt: Date, error: ErrorKey = "error_sign_in_again") {
  if (Date.now() - signedInAt.getTime() > recentMinutes * 60_000) throw new AppError(error);
}
