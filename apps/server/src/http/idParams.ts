import { z } from "zod";

/** The id in a path. A malformed one is treated as an unknown id. */
export const idParams = z.object({
  id: z
    .string()
    .regex(/^[\w-]+$/)
    .catch("none"),
});
