import { z } from "zod";
import type { ErrorKey } from "./errors.ts";

const key = (error: ErrorKey) => ({ error });

/** A public key with which a site's files are reached. */
export interface AccessKey {
  id: string;
  name: string;
  /** as OpenSSH shows it */
  fingerprint: string;
  /** ISO 8601 */
  created_at: string;
  last_used_at?: string;
}

export interface SftpAddress {
  host: string;
  port: number;
  /** of the server's own key, as OpenSSH shows it */
  fingerprint: string;
}

/** `GET /api/projects/{id}/access` */
export interface SiteAccess {
  /** null where files cannot be reached */
  sftp: SftpAddress | null;
  user: string;
  keys: AccessKey[];
  /** until when there is a password, ISO 8601 */
  password_until?: string;
}

/** `POST /api/projects/{id}/access/password`: it is shown once. */
export interface NewPassword {
  password: string;
  /** ISO 8601 */
  until: string;
}

export const passwordHours = 8;
export const maxAccessKeys = 10;

/** `POST /api/projects/{id}/access/keys` */
export const newAccessKeySchema = z.strictObject({
  name: z
    .string()
    .trim()
    .min(1, key("error_invalid_input"))
    .max(60, key("error_invalid_input"))
    .regex(/^\P{Cc}*$/u, key("error_invalid_input")),
  key: z.string().trim().max(4000, key("error_access_key")),
});
