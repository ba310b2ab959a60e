import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = join(dirname(fileURLToPath(import.meta.resolve("stripe"))), "resources");

/** The keys of an object type, and the required ones among them, read from the type declarations of the SDK. */
export function sdkKeys(file: string, name: string) {
  const source = readFileSync(join(folder, `${file}.d.ts`), "utf8");
  const [, body] = new RegExp(`^export interface ${name} \\{\\n([\\s\\S]*?)^\\}`, "m").exec(source) ?? [];
  if (body === undefined) throw new Error(`The Stripe SDK declares no interface ${name} in ${file}.d.ts`);
  const keys = [...body.matchAll(/^ {4}(\w+)(\??):/gm)].map(([, key = "", optional]) => ({ key, optional }));
  return {
    all: new Set(keys.map(({ key }) => key)),
    required: keys.filter(({ optional }) => !optional).map(({ key }) => key),
  };
}
