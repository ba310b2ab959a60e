import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The API key of the Stripe stand-in that stores its data in this folder; undefined if none ever ran there. */
export function readApiKey(folder: string): string | undefined {
  try {
    return /"apiKey":"(\w+)"/.exec(readFileSync(join(folder, "stripe.jsonl"), "utf8"))?.[1];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}
