import { readFileSync } from "node:fs";

/** The server that this copy of the CLI was downloaded from; it writes its address into the package.json. */
export function packageServer(): string | undefined {
  try {
    return JSON.parse(readFileSync(new URL("./package.json", import.meta.url), "utf8")).nido?.server;
  } catch {
    return undefined;
  }
}
