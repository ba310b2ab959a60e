import { hash, verify } from "@node-rs/argon2";
import { Semaphore } from "../platform/Semaphore.ts";

/** Hashing keeps a thread busy, and file access uses the same four threads. */
const hashing = new Semaphore(2);

/** The hash of a random value: verifying against it takes as long as verifying a real one. */
const decoy = hash(crypto.randomUUID());

export function hashPassword(password: string): Promise<string> {
  return hashing.run(() => hash(password));
}

/** Whether the password is right. It takes the same time for accounts without a password, to hide which exist. */
export async function isPassword(passwordHash: string | null | undefined, password: string): Promise<boolean> {
  const expected = passwordHash ?? (await decoy);
  const isRight = await hashing.run(() => verify(expected, password));
  return isRight && Boolean(passwordHash);
}
