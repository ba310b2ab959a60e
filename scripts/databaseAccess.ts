/** Moves the password from the address to the environment: all users of a machine can read a program's arguments. */
export function databaseAccess(databaseUrl: string): { address: string; env: Record<string, string> } {
  const [, before = "", password, after = ""] = /^(\w+:\/\/[^:@/]*):([^@/]*)(@.*)$/.exec(databaseUrl) ?? [];
  if (password === undefined) return { address: databaseUrl, env: {} };
  return { address: before + after, env: { PGPASSWORD: decodeURIComponent(password) } };
}
