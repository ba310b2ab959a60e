import { z } from "zod";
import type { ErrorKey } from "./errors.ts";

/** It travels in a header, in which some characters need several. */
const maxLength = 8000;

/** `POST /api/projects/{id}/cli`: the words after `wp`. */
export const siteCommandSchema = z.strictObject({
  args: z
    .array(
      z
        .string()
        .max(maxLength)
        .regex(/^\P{Cc}*$/u),
    )
    .min(1)
    .max(100)
    .refine((args) => args.join(" ").length <= maxLength),
  /** runs it on the staging copy */
  staging: z.boolean().default(false),
});

/** A line of the answer, which is newline-delimited JSON. Without an exit code, the command did not come to its end. */
export type CommandEvent =
  | { out: string }
  | { err: string }
  /** How far the backup is that is made before the command, from 0 to 1. */
  | { backup: number }
  /** It was not run. */
  | { error: ErrorKey }
  | { exit: number };
