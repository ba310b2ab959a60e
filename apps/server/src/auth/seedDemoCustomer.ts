import { findCredentials, insertUser } from "../account/queries.ts";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { hashPassword, isPassword } from "./passwords.ts";

/** Makes the demo customer once. Says whether the password is still the one in the settings. */
export async function seedDemoCustomer(db: Db, { DEMO_EMAIL: email, DEMO_PASSWORD: password }: Config) {
  const known = await findCredentials(db, email);
  if (known) return { isPasswordKnown: await isPassword(known.passwordHash, password) };
  const passwordHash = await hashPassword(password);
  await insertUser(db, { email, passwordHash, givenName: "Cliente", familyName: "de ejemplo", lang: "es" });
  return { isPasswordKnown: true };
}
