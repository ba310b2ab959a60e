import { randomBytes } from "node:crypto";

const names = ["AUTH", "SECURE_AUTH", "LOGGED_IN", "NONCE"].flatMap((name) => [`${name}_KEY`, `${name}_SALT`]);

/** The keys and salts that a WordPress signs its cookies with. */
export function newSecrets(): Record<string, string> {
  return Object.fromEntries(names.map((name) => [name, randomBytes(48).toString("base64url")]));
}
