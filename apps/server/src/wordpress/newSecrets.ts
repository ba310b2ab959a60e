import { randomBytes } from "node:crypto";

const names = ["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"].flatMap((name) => [`${name}_KEY`, `${name}_SALT`]);

/** What a WordPress signs its cookies with: each site has its own. */
export function newSecrets(): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, randomBytes(48).toString("base64url")]));
}
