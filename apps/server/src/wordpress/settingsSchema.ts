import { z } from "zod";

/** What a backup's `site.json` has to contain: the keys and salts that WordPress signs cookies with. */
export const settingsSchema = z.object({ secrets: z.record(z.string().regex(/^[A-Z_]+$/), z.string()) });
