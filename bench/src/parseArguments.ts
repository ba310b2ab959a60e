import { parseArgs } from "node:util";

const usage = "Usage: npm run bench -- [--only part,part] [--save]";

/** Reads the command line, or explains what is wrong with it and exits. */
export function parseArguments(args: string[], known: string[]): { parts: string[]; isSaved: boolean } {
  try {
    const { values } = parseArgs({ args, options: { only: { type: "string" }, save: { type: "boolean" } } });
    return { parts: parseParts(values.only, known), isSaved: values.save ?? false };
  } catch (error) {
    console.error(`${(error as Error).message}\n${usage}\nParts: ${known.join(", ")}`);
    process.exit(1);
  }
}

function parseParts(only: string | undefined, known: string[]): string[] {
  if (only === undefined) return known;
  const parts = only.split(",").map((part) => part.trim());
  const unknown = parts.filter((part) => !known.includes(part));
  if (unknown.length > 0) throw new Error(`Unknown benchmark: ${unknown.map((part) => `"${part}"`).join(", ")}`);
  return parts;
}
