import { z } from "zod";

const user = z.object({
  id: z.int().positive(),
  login: z.string().max(100),
  email: z.string().max(200),
  /** the names of their roles in the site's language */
  role: z.string().max(300),
});

/** `GET` and `POST /api/projects/{id}/users`: those who can change something in WordPress. */
export const siteUsersSchema = z.object({ users: z.array(user).max(200) });
export type SiteUsers = z.infer<typeof siteUsersSchema>;
export type SiteUser = z.infer<typeof user>;

/**
 * Ends their sessions, passwords and application passwords, and sends each a link to choose a new password.
 */
export const resetUsersSchema = z.strictObject({ reset: z.array(z.int().positive()).min(1).max(200) });
