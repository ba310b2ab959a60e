import { z } from "zod";
import { countries } from "./countries.ts";
import { domainMaxLength } from "./domains.ts";
import type { ErrorKey } from "./errors.ts";
import { languages } from "./languages.ts";
import { isPostalCode } from "./localRules.ts";
import { mailTopics } from "./mail.ts";
import { passwordFault, passwordMaxLength } from "./password.ts";
import { branchSchema } from "./publishing.ts";

const key = (error: ErrorKey) => ({ error });

/** A single line of input: trimmed, limited in length, without control characters. */
const line = (max: number, tooLong: ErrorKey) =>
  z
    .string()
    .trim()
    // Aborts here, so that no pattern runs on an overlong text.
    .max(max, { ...key(tooLong), abort: true })
    .regex(/^\P{Cc}*$/u, key("error_invalid_input"));

export const addressMaxLength = 200;
export const companyMaxLength = 120;
export const phoneMaxLength = 30;
export const vatMaxLength = 20;

export const addressSchema = z
  .strictObject({
    user_address: line(addressMaxLength, "error_address_too_long"),
    user_city: line(addressMaxLength, "error_address_too_long"),
    user_state: line(addressMaxLength, "error_address_too_long"),
    user_zipcode: line(20, "error_address_too_long"),
    user_country: z.enum(["", ...countries], key("error_country_invalid")),
  })
  .refine(({ user_zipcode: code, user_country: country }) => isPostalCode(code, country), {
    ...key("error_zipcode_invalid"),
    path: ["user_zipcode"],
  });

export const phoneSchema = z.strictObject({
  phone: line(phoneMaxLength, "error_phone_invalid")
    .regex(/^\+?[\d\s().-]*$/, key("error_phone_invalid"))
    .refine((phone) => phone === "" || /\d/.test(phone), key("error_phone_invalid")),
});

export const companySchema = z.strictObject({
  company: line(companyMaxLength, "error_company_too_long"),
  vat_number: line(vatMaxLength, "error_vat_invalid").regex(/^[A-Za-z0-9Ññ& ./-]*$/, key("error_vat_invalid")),
});

export const newPassword = z.string().superRefine((password, context) => {
  const message = passwordFault(password);
  if (message) context.addIssue({ code: "custom", message });
});

export const passwordSchema = z.strictObject({
  password: newPassword,
  current_password: z.string().max(passwordMaxLength, key("error_password_current_wrong")).optional(),
});

export const languageSchema = z.strictObject({
  lang: z.enum(languages, key("error_language_invalid")),
});

export const mutedMailSchema = z.strictObject({ muted: z.array(z.enum(mailTopics)).max(mailTopics.length) });

const id = z.string().regex(/^[\w-]{1,64}$/, key("error_invalid_input"));

export const deleteProjectSchema = z.strictObject({ id });
export const typedDomainSchema = z.strictObject({
  domain: z.string().max(domainMaxLength, key("error_domain_invalid")),
  /** also adds the counterpart with or without `www.`, which redirects to this domain */
  with_counterpart: z.boolean().optional(),
});
export const newDomainSchema = typedDomainSchema.extend({ project_id: id });
export const domainSchema = z.strictObject({ project_id: id, domain_id: id });

export const rollBackSchema = z.strictObject({ project_id: id, deploy_id: id, branch: branchSchema });

export const promoteSchema = z.strictObject({ project_id: id, deploy_id: id });
export const branchRemovalSchema = z.strictObject({ project_id: id, branch: branchSchema });

export const undoSchema = z.strictObject({ activity_id: z.int().positive() });

export const renewalSchema = z.strictObject({ project_id: id, renews: z.boolean() });

export const hstsSchema = z.strictObject({ project_id: id, enabled: z.boolean() });

/** The payload schema of each remote action. The message of a validation issue is an error key. */
export const actionSchemas = {
  DELETE_PROJECT: deleteProjectSchema,
  NEW_DOMAIN: newDomainSchema,
  DELETE_DOMAIN: domainSchema,
  CHECK_DOMAIN: domainSchema,
  SET_PRIMARY_DOMAIN: domainSchema,
  SET_HSTS: hstsSchema,
  SET_RENEWAL: renewalSchema,
  ROLL_BACK: rollBackSchema,
  PROMOTE: promoteSchema,
  DELETE_BRANCH: branchRemovalSchema,
  UPDATE_USER_ADDRESS: addressSchema,
  UPDATE_USER_PHONE: phoneSchema,
  UPDATE_USER_COMPANY: companySchema,
  UPDATE_USER_PASSWORD: passwordSchema,
  UPDATE_USER_LANGUAGE: languageSchema,
  UPDATE_MUTED_MAIL: mutedMailSchema,
  UNDO: undoSchema,
};

export type ActionName = keyof typeof actionSchemas;
export type ActionPayloads = { [Name in ActionName]: z.output<(typeof actionSchemas)[Name]> };
