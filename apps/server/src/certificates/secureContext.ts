import { X509Certificate } from "node:crypto";
import { createSecureContext, type SecureContext } from "node:tls";

/** A certificate that is ready to be served. */
export interface ServedCertificate {
  names: string[];
  context: SecureContext;
}

export interface Pem {
  /** the certificate and those of its issuers */
  chain: string;
  key: string;
}

export function serve({ chain, key }: Pem): ServedCertificate {
  return { names: namesOf(chain), context: createSecureContext({ cert: chain, key }) };
}

/** The host names of a certificate. */
export function namesOf(chain: string): string[] {
  const { subjectAltName = "" } = new X509Certificate(chain);
  return Array.from(subjectAltName.matchAll(/DNS:([^,\s]+)/g), ([, name = ""]) => name.toLowerCase());
}
