import { DrizzleQueryError } from "drizzle-orm";

/** The part of an error that is logged. Query parameters are left out, because they may be secrets. */
export function describeForLog(error: Error & { code?: string }) {
  // Drizzle wraps the database's error in one whose message contains the parameters.
  const source = error instanceof DrizzleQueryError && error.cause instanceof Error ? error.cause : error;
  const { code } = source as { code?: string };
  const cause = source.cause instanceof Error ? source.cause.message : undefined;
  return { type: source.name, message: source.message, stack: source.stack ?? "", code, cause };
}
