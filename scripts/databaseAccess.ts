/** A database's address for programs whose arguments everybody on the machine can read, and what goes beside it. */
export function databaseAccess(databaseUrl: string): { address: string; env: Record<string, string> } {
  const [, before = "", secret, after = ""] = /^(\w+:\/\/[^:@/]*):([^@/]*)(@.*)$/.exec(databaseUrl) ?? [];
  if (secret === undefined) return { address: databaseUrl, env: {} };
  return { address: before + after, env: { PGPASSWORD: decodeURIComponent(secret) } };
}
