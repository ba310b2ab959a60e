import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Pem } from "./secureContext.ts";
import { namesOf } from "./secureContext.ts";

/** Throws unless a new certificate is for this name and key and has not expired: an authority can make mistakes. */
export function checkCertificate(name: string, { chain, key }: Pem): { notAfter: Date; notBefore: Date } {
  const certificate = new X509Certificate(chain);
  const { validFromDate: notBefore, validToDate: notAfter } = certificate;
  if (!namesOf(chain).includes(name)) throw new Error(`the authority issued a certificate that is not for ${name}`);
  if (!certificate.checkPrivateKey(createPrivateKey(key)))
    throw new Error(`the authority issued a certificate for ${name} with another key`);
  if (notAfter.getTime() <= Date.now()) throw new Error(`the authority issued an expired certificate for ${name}`);
  return { notBefore, notAfter };
}
