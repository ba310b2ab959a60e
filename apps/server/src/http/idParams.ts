import { z } from "zod";

/** The id in a path. What cannot be one is an id that nothing has. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .catch("none"),
});
