import { z } from "zod";

/** `POST /api/projects/{id}/move-in` */
export const newMoveInSchema = z.strictObject({
  name: z.string().min(1).max(255),
  size: z.int().min(1),
  /** when the file was last changed, in milliseconds since 1970: another export may have the same name and size */
  modified: z.int().min(0),
});

/** `POST /api/projects/{id}/move-in/source`: a site that has our plugin is copied from its address. */
export const moveInSourceSchema = z.strictObject({
  url: z.string().trim().min(3).max(300),
  user: z.string().trim().min(1).max(100),
  /** an application password */
  password: z.string().trim().min(1).max(200),
});
export type MoveInSource = z.infer<typeof moveInSourceSchema>;
