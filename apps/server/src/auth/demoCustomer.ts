import { findCredentials, forgetSandboxIdentities, insertUser, updateUser } from "../account/queries.ts";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { hashPassword, isPassword } from "./passwords.ts";
import { endSessionsOf } from "./sessions.ts";

/** Creates the demo customer once. Returns whether its password is still the one in the settings. */
export async function seedDemoCustomer(db: Db, { DEMO_EMAIL: email, DEMO_PASSWORD: password }: Config) {
  const known = await findCredentials(db, email);
  if (known) return { isPasswordKnown: await isPassword(known.passwordHash, password) };
  const passwordHash = await hashPassword(password);
  await insertUser(db, {
    email,
    emailConfirmedAt: new Date(),
    passwordHash,
    givenName: "Cliente",
    familyName: "de ejemplo",
    lang: "es",
  });
  return { isPasswordKnown: true };
}

/** When APP_URL is not on this machine, removes the demo password and the identities that the stand-ins created. */
export async function retireStandIns(db: Db, { DEMO_EMAIL: email, DEMO_PASSWORD: password }: Config) {
  const demo = await findCredentials(db, email);
  const hasDemoPassword = demo && (await isPassword(demo.passwordHash, password));
  await db.transaction(async (tx) => {
    await forgetSandboxIdentities(tx);
    if (!hasDemoPassword) return;
    await updateUser(tx, demo.id, { passwordHash: null });
    await endSessionsOf(tx, demo.id);
  });
  return undefined;
}
