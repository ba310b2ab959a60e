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
const metadataKey = z
  .string()
  .max(40)
  .regex(/^[^[\]]*$/);
export const metadata = z.union([
  z
    .record(metadataKey, z.string().max(500))
    .refine((entries) => Object.keys(entries).length <= 50, "You can have at most 50 keys in metadata."),
  z.literal("").transform(() => undefined),
]);
export const url = z
  .string()
  .max(5000)
  .regex(/^https?:\/\/[^/?#\s]+[^\s]*$/, "url_invalid");
export const positive = integer.pipe(z.number().min(1));
/** ISO 4217, in lower case */
export const currency = z.string().regex(/^[a-z]{3}$/);
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

const namedCodes = ["parameter_invalid_integer", "url_invalid"];

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
  const code = namedCodes.find((name) => name === issue?.message) ?? "parameter_invalid";
  throw new StripeFault(400, `Invalid value for ${param}`, { code, param });
}

/** An empty value removes its key. */
export function mergeMetadata(old: Record<string, string>, change: Record<string, string> | undefined) {
  return Object.fromEntries(Object.entries({ ...old, ...change }).filter(([, value]) => value !== ""));
}
