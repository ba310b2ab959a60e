import { randomBytes } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "../config/parseConfig.ts";

/** The secrets that encrypt what the database must not hold in the clear; without a setting, one in the data folder. */
export function encryptionSecrets({ ENCRYPTION_KEY: secrets, DATA_DIR: folder }: Config): string[] {
  return secrets ?? [readOrCreate(folder)];
}

function readOrCreate(folder: string): string {
  const file = join(folder, "encryption.key");
  const draft = `${file}.${process.pid}`;
  mkdirSync(folder, { recursive: true });
  writeFileSync(draft, randomBytes(32).toString("hex"), { mode: 0o600 });
  try {
    linkSync(draft, file); // Atomic: another process may create it at the same time.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8");
}
