import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** A self-signed certificate for localhost and the names below it, which all servers use. */
export function createCertificate(folder: string) {
  const [chain, key] = [join(folder, "chain.pem"), join(folder, "key.pem")];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"];
  const names = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost,DNS:*.localhost"];
  execFileSync("openssl", ["req", "-x509", ...curve, "-nodes", "-days", "2", ...names, "-keyout", key, "-out", chain], {
    stdio: "ignore",
  });
  return { chain, key };
}
export type CertificateFiles = ReturnType<typeof createCertificate>;
