import { join, resolve } from "node:path";
import { freePort } from "@nido/test-kit/freePort";
import { startProgram } from "./startProgram.ts";

export const root = resolve(import.meta.dirname, "../../..");

/** The product as `npm start` runs it, on free ports. */
export async function startProduct(
  cleanups: AsyncDisposableStack,
  { DATA_DIR, ...settings }: { DATA_DIR: string } & Record<string, string>,
) {
  const port = await freePort();
  const env = { DATA_DIR, PORT: String(port), SANDBOX_PORT: String(await freePort()), ...settings };
  await startProgram(cleanups, join(root, "scripts/start.ts"), env, "Ctrl-C stops it.");
  return {
    port,
    origin: settings["APP_URL"] ?? `http://localhost:${port}`,
    databaseUrl: `postgres://nido@/nido?host=${encodeURIComponent(join(DATA_DIR, "run"))}`,
  };
}
