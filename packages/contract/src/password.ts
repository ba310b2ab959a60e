import type { ErrorKey } from "./errors.ts";

export const passwordMinLength = 8;
/** Limits the cost of hashing. */
export const passwordMaxLength = 256;

/** The first rule that the password breaks, in the order in which they are reported to the customer. */
export function passwordFault(password: string): ErrorKey | undefined {
  if (password === "") return "error_password_empty";
  if (password.length < passwordMinLength) return "error_password_too_short";
  if (password.length > passwordMaxLength) return "error_password_too_long";
  const isStrong = /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\d/.test(password) && !/\s/.test(password);
  return isStrong ? undefined : "error_password_invalid";
}
