import { ApiError } from "./ApiError.ts";
import { exitCodes, Failure } from "./Failure.ts";
import type { Texts } from "./texts.ts";

const exitCodesByKey: Record<string, number> = {
  error_signed_out: exitCodes.signedOut,
  error_disk_full: exitCodes.planLimit,
  error_storage_full: exitCodes.planLimit,
  error_files_too_many: exitCodes.planLimit,
};

/** The text that the user is shown for an error, and the exit code of the CLI. */
export function describeError(error: unknown, t: Texts, hasExplicitToken = false): { text: string; exitCode: number } {
  if (error instanceof Failure) return { text: error.message, exitCode: error.exitCode };
  if (!(error instanceof ApiError)) {
    return { text: describeSystemError(error as NodeJS.ErrnoException, t), exitCode: exitCodes.failed };
  }
  const signedOut = hasExplicitToken ? t.tokenInvalid : t.signedOut;
  const text = error.key === "error_signed_out" ? signedOut : t.errors[error.key];
  const detail = error.detail === undefined ? "" : ` (${error.detail})`;
  return { text: text + detail, exitCode: exitCodesByKey[error.key] ?? exitCodes.failed };
}

/** An error with a code comes from the operating system. Any other is a bug. */
function describeSystemError({ message, stack, code, path }: NodeJS.ErrnoException, t: Texts): string {
  if (!code) return stack ?? message;
  const fault = t.fileFaults[code];
  return fault && path ? `${fault} ${path}` : message;
}
