import { isErrorKey } from "@nido/contract";
import type { z } from "zod";
import { AppError } from "../http/AppError.ts";

/** What a tool sent, as it should be; a fault is said by its key. */
export function parseBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const key = parsed.error.issues[0]?.message;
  throw new AppError(isErrorKey(key) ? key : "error_invalid_input");
}
