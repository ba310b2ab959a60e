import { z } from "zod";
import { StripeFault } from "./StripeFault.ts";

export const text = z.string().min(1);
export const integer = z
  .string()
  .regex(/^-?\d+$/, "parameter_invalid_integer")
  .transform(Number);
export const percent = z
  .string()
  .regex(/^\d+(\.\d+)?$/)
  .transform(Number);
export const flag = z.enum(["true", "false"]).transform((value) => value === "true");
/** An empty value unsets the field. */
export const unsettable = z.string().transform((value) => value || null);
export const metadata = z.union([z.record(z.string(), z.string()), z.literal("").transform(() => undefined)]);
const expand = z.array(z.string()).optional();

export const listing = {
  limit: integer.pipe(z.number().min(1).max(100)).default(10),
  starting_after: text.optional(),
  ending_before: text.optional(),
};
export const since = z.union([
  integer.transform((at) => ({ gte: at, lte: at })),
  z.strictObject({ gt: integer.optional(), gte: integer.optional(), lt: integer.optional(), lte: integer.optional() }),
]);

/** The schema of the parameters of a call. Every call takes `expand`. */
export function takes<Shape extends z.ZodRawShape>(shape: Shape) {
  return z.strictObject({ expand, ...shape });
}

export function parseParameters<Schema extends z.ZodType>(schema: Schema, form: unknown): z.output<Schema> {
  const parsed = schema.safeParse(form);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const path = [...(issue?.path ?? []), ...(issue?.code === "unrecognized_keys" ? issue.keys.slice(0, 1) : [])];
  const param = path.map((part, index) => (index === 0 ? String(part) : `[${String(part)}]`)).join("");
  if (issue?.code === "unrecognized_keys")
    throw new StripeFault(400, `Received unknown parameter: ${param}`, { code: "parameter_unknown", param });
  if (issue?.code === "invalid_type" && issue.input === undefined)
    throw new StripeFault(400, `Missing required param: ${param}.`, { code: "parameter_missing", param });
  const code = issue?.message === "parameter_invalid_integer" ? issue.message : "parameter_invalid";
  throw new StripeFault(400, `Invalid value for ${param}`, { code, param });
}

/** An empty value removes its key. */
export function mergeMetadata(old: Record<string, string>, change: Record<string, string> | undefined) {
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== ""));
}
