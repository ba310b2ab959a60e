import { createHash, randomUUID } from "node:crypto";
import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import ssh2 from "ssh2";

/** The server's own key, in OpenSSH's format. It is created once: clients warn their users if it changes. */
export function readHostKey(dataDir: string): string {
  const file = join(dataDir, "sftp.key");
  const known = read(file);
  if (known) return known;
  mkdirSync(dataDir, { recursive: true });
  const draft = `${file}.${randomUUID()}`;
  writeFileSync(draft, generateKey().private, { mode: 0o600, flush: true });
  try {
    linkSync(draft, file); // Atomic: another process may create it at the same time.
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  } finally {
    rmSync(draft);
  }
  return readFileSync(file, "utf8");
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

export function publicPartOf(privateKey: string): Buffer {
  const key = ssh2.utils.parseKey(privateKey);
  if (key instanceof Error) throw key;
  return key.getPublicSSH();
}

/** As OpenSSH shows it. */
export function fingerprintOf(publicKey: Buffer): string {
  return `SHA256:${createHash("sha256").update(publicKey).digest("base64").replace(/=+$/, "")}`;
}

/** The library writes a key that it cannot read itself once in some hundred times. */
export function generateKey() {
  for (;;) {
    const pair = ssh2.utils.generateKeyPairSync("ed25519");
    const isReadable = [pair.private, pair.public].every((text) => !(ssh2.utils.parseKey(text) instanceof Error));
    if (isReadable) return pair;
  }
}
