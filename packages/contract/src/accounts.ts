import { z } from "zod";
import { newPassword } from "./actions.ts";
import type { ErrorKey } from "./errors.ts";
import { defaultLanguage, languages } from "./languages.ts";
import { passwordMaxLength } from "./password.ts";

const key = (error: ErrorKey) => ({ error });

export const emailMaxLength = 254;
export const codeLength = 6;

const email = z
  .string()
  .trim()
  .max(emailMaxLength, key("error_email_invalid"))
  .pipe(z.email(key("error_email_invalid")));
export const codeSchema = z
  .string()
  .transform((text) => text.replace(/\s/g, ""))
  .pipe(z.string().regex(/^\d{6}$/, key("error_verification_wrong")));
const token = z.string().regex(/^[\w-]{43}$/, key("error_link_invalid"));
const lang = z.enum(languages).catch(defaultLanguage);

/** `POST /auth/signup` */
export const signUpSchema = z.strictObject({
  email,
  password: newPassword,
  lang,
  /** where the visitor goes on afterwards */
  redirect: z.string().max(2000).optional(),
});

/** `POST /auth/signup/confirm`: the code, or the link's token. In another browser the link also needs the password. */
export const confirmSignUpSchema = z.union([
  z.strictObject({ code: codeSchema }),
  z.strictObject({ token, password: z.string().max(passwordMaxLength).optional() }),
]);

/** `POST /auth/reset` */
export const resetSchema = z.strictObject({ email, lang });
/** `POST /auth/reset/finish` */
export const finishResetSchema = z.strictObject({ token, password: newPassword });

/** `POST /api/account/email` */
export const changeEmailSchema = z.strictObject({ email });
/** `POST /auth/email/confirm` */
export const confirmEmailSchema = z.union([z.strictObject({ code: codeSchema }), z.strictObject({ token })]);
/** `POST /auth/email/undo`, `POST /auth/reset/check` */
export const linkSchema = z.strictObject({ token });
