import { KeyObject, randomBytes, X509Certificate } from "node:crypto";
import { Integer, Utf8String } from "asn1js";
import {
  Attribute,
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  Certificate,
  CertificationRequest,
  Extension,
  Extensions,
  GeneralName,
  GeneralNames,
} from "pkijs";

const oids = {
  subjectAltName: "2.5.29.17",
  authorityKeyIdentifier: "2.5.29.35",
  commonName: "2.5.4.3",
  extensionRequest: "1.2.840.113549.1.9.14",
};
/** ECDSA on P-256: small, fast, and accepted everywhere. */
const keyAlgorithm = { name: "ECDSA", namedCurve: "P-256" };

export async function createKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(keyAlgorithm, true, ["sign", "verify"]);
}

export function toPem(key: CryptoKey): string {
  return KeyObject.from(key).export({ type: "pkcs8", format: "pem" }).toString();
}

export async function keysFromPem(pem: string): Promise<CryptoKeyPair> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ""), "base64");
  const privateKey = await crypto.subtle.importKey("pkcs8", der, keyAlgorithm, true, ["sign"]);
  const { kty, crv, x, y } = await crypto.subtle.exportKey("jwk", privateKey);
  const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y } as JsonWebKey, keyAlgorithm, true, [
    "verify",
  ]);
  return { privateKey, publicKey };
}

/** A certificate signing request in DER format. */
export async function createRequest(name: string, { privateKey, publicKey }: CryptoKeyPair): Promise<Buffer> {
  const request = new CertificationRequest({ version: 0 });
  await request.subjectPublicKeyInfo.importKey(publicKey);
  const extensions = new Extensions({ extensions: [subjectAltName([name])] });
  request.attributes = [new Attribute({ type: oids.extensionRequest, values: [extensions.toSchema()] })];
  await request.sign(privateKey, "SHA-256");
  return Buffer.from(request.toSchema().toBER());
}

/** A certificate in PEM format that its own key has signed. */
export async function createSelfSignedCertificate(
  names: string[],
  { privateKey, publicKey }: CryptoKeyPair,
  notAfter: Date,
): Promise<string> {
  const certificate = new Certificate({ version: 2 });
  certificate.serialNumber = new Integer({ valueHex: Uint8Array.from([1, ...randomBytes(15)]).buffer });
  certificate.notBefore.value = new Date();
  certificate.notAfter.value = notAfter;
  const subject = new AttributeTypeAndValue({
    type: oids.commonName,
    value: new Utf8String({ value: names[0] ?? "" }),
  });
  certificate.subject.typesAndValues = [subject];
  certificate.issuer.typesAndValues = [subject];
  certificate.extensions = [subjectAltName(names)];
  await certificate.subjectPublicKeyInfo.importKey(publicKey);
  await certificate.sign(privateKey, "SHA-256");
  const lines =
    Buffer.from(certificate.toSchema().toBER())
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}

/** The identifier by which an authority knows a certificate (RFC 9773, 4.1); undefined if it has none. */
export function renewalId(chain: string): string | undefined {
  const { extensions = [], serialNumber } = Certificate.fromBER(new X509Certificate(chain).raw as BufferSource);
  const parsed = extensions.find(({ extnID }) => extnID === oids.authorityKeyIdentifier)?.parsedValue;
  if (!(parsed instanceof AuthorityKeyIdentifier) || !parsed.keyIdentifier) return undefined;
  const encode = (value: { valueBlock: { valueHexView: Uint8Array } }) =>
    Buffer.from(value.valueBlock.valueHexView).toString("base64url");
  return `${encode(parsed.keyIdentifier)}.${encode(serialNumber)}`;
}

function subjectAltName(names: string[]): Extension {
  const general = new GeneralNames({ names: names.map((value) => new GeneralName({ type: 2, value })) });
  return new Extension({ extnID: oids.subjectAltName, critical: false, extnValue: general.toSchema().toBER() });
}
