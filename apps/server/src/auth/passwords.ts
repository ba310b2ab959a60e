import { hash, verify } from "@node-rs/argon2";

/** The hash of a random value: verifying against it takes as long as verifying a real one. */
const decoy = hash(crypto.randomUUID());

export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether the password is right. It takes the same time for accounts without a password, to hide which exist. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && Boolean(passwordHash);
}
