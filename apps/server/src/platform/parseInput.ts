import { isErrorKey } from "@nido/contract";
import type { z } from "zod";
import { AppError } from "./AppError.ts";

/** What somebody sent, as it should be; a fault is said by its key. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const key = parsed.error.issues[0]?.message;
  throw new AppError(isErrorKey(key) ? key : "error_invalid_input");
}
