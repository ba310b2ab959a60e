import { z } from "zod";

/** `POST /api/projects/{id}/move-in` */
export const newMoveInSchema = z.strictObject({
  name: z.string().min(1).max(255),
  size: z.int().min(1),
  /** when the file was last changed, in milliseconds since 1970: another export may have the same name and size */
  modified: z.int().min(0),
});

const url = z.string().trim().min(3).max(300);

/** The account for the files of another site. */
const sftpAccountSchema = z.strictObject({
  host: z.string().trim().min(1).max(253),
  port: z.int().min(1).max(65535),
  user: z.string().trim().min(1).max(100),
  password: z.string().min(1).max(1000),
});
export type SftpAccount = z.infer<typeof sftpAccountSchema>;

/**
 * `POST /api/projects/{id}/move-in/source`: another WordPress is copied from its address. Its owner has installed our
 * plugin there and made an application password, or we put the plugin there by SFTP.
 */
export const moveInSourceSchema = z.union([
  z.strictObject({ url, user: z.string().trim().min(1).max(100), password: z.string().trim().min(1).max(200) }),
  z.strictObject({ url, sftp: sftpAccountSchema }),
]);
export type MoveInSource = z.infer<typeof moveInSourceSchema>;
