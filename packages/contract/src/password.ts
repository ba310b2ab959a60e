import type { ErrorKey } from "./errors.ts";

export const passwordMinLength = 8;
/** Limits the cost of hashing. */
export const passwordMaxLength = 256;

/** What a password needs; a form shows a line for each. */
export const passwordRules = {
  long: (password: string) => password.length >= passwordMinLength,
  mixed: (password: string) => /\p{Ll}/u.test(password) && /\p{Lu}/u.test(password) && /\d/.test(password),
  noSpaces: (password: string) => password !== "" && !/\s/.test(password),
};

/** The first rule that the password breaks, in the order in which they are reported to the customer. */
export function passwordFault(password: string): ErrorKey | undefined {
  if (password === "") return "error_password_empty";
  if (!passwordRules.long(password)) return "error_password_too_short";
  if (password.length > passwordMaxLength) return "error_password_too_long";
  return passwordRules.mixed(password) && passwordRules.noSpaces(password) ? undefined : "error_password_invalid";
}
