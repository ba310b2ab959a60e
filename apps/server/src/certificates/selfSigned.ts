import { existsSync } from "node:fs";
import { mkdir, rename, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import type { FilePair } from "./CertificateFiles.ts";
import { createKeys, createSelfSignedCertificate, toPem } from "./x509.ts";

const lifetime = 365 * 24 * 3_600_000;

export function selfSignedFiles(dataDir: string): FilePair {
  return { chain: join(dataDir, "certificates/self-signed.crt"), key: join(dataDir, "certificates/self-signed.key") };
}

/** Creates a certificate for trying out HTTPS on this machine. Browsers warn about it. */
export async function createSelfSigned({ chain, key }: FilePair, names: string[]) {
  if (existsSync(chain)) return;
  const keys = await createKeys();
  const certificate = await createSelfSignedCertificate(names, keys, new Date(Date.now() + lifetime));
  await mkdir(dirname(chain), { recursive: true, mode: 0o700 });
  await writeFile(key, toPem(keys.privateKey), { mode: 0o600 });
  // Last, because it marks the pair as complete.
  await writeFile(`${chain}.new`, certificate);
  await rename(`${chain}.new`, chain);
}
