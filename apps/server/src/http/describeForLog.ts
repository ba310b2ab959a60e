import { DrizzleQueryError } from "drizzle-orm";

/** What the log keeps of an error: never a query's parameters, which may be secrets. */
export function describeForLog(error: Error & { code?: string }) {
  // The query builder wraps the database's own error in one that spells the parameters out.
  const source = error instanceof DrizzleQueryError && error.cause instanceof Error ? error.cause : error;
  const { code } = source as { code?: string };
  const cause = source.cause instanceof Error ? source.cause.message : undefined;
  return { type: source.name, message: source.message, stack: source.stack ?? "", code, cause };
}
