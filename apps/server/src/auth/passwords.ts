import { hash, verify } from "@node-rs/argon2";

/** A hash of nothing anybody knows: checking against it costs what checking a real one costs. */
const decoy = hash(crypto.randomUUID());

export function hashPassword(password: string): Promise<string> {
  return hash(password);
}

/** Whether the password is right. Takes as long for an account that has none. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const isRight = await verify(passwordHash ?? (await decoy), password);
  return isRight && Boolean(passwordHash);
}
