import { isErrorKey } from "@nido/contract";
import type { z } from "zod";
import { AppError } from "./AppError.ts";

/** Validates input; throws an AppError with the key of the first fault. */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const key = parsed.error.issues[0]?.message;
  throw new AppError(isErrorKey(key) ? key : "error_invalid_input");
}
