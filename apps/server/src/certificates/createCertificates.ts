import { readFileSync } from "node:fs";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { CertificateFiles } from "./CertificateFiles.ts";
import { IssuedCertificates } from "./IssuedCertificates.ts";
import { derive, SecretBox } from "./SecretBox.ts";
import { SecureContexts } from "./SecureContexts.ts";
import { selfSignedFiles } from "./selfSigned.ts";

export type Certificates = ReturnType<typeof createCertificates>;

/** What this process needs to speak HTTPS. */
export function createCertificates(config: Config, db: Db, isListening: () => boolean, log: FastifyBaseLogger) {
  const secrets = config.CERTIFICATES_KEY ?? [localSecret(config)];
  const pairs = config.CERTIFICATE_FILES?.map(splitPair) ?? [];
  const files = new CertificateFiles(
    isSelfSigned(config) ? [...pairs, selfSignedFiles(config.DATA_DIR)] : pairs,
    (error, file) => log.error({ err: error, file }, "could not read a certificate"),
  );
  const issued = new IssuedCertificates({
    db,
    box: new SecretBox(secrets),
    isListening,
    platformNames: platformNames(config),
  });
  return {
    files,
    issued,
    contexts: new SecureContexts(files, issued),
    ticketSecret: derive(secrets[0] as string, "session tickets"),
  };
}

/** HTTPS is being tried out on this machine, where no authority can issue a certificate. */
export function isSelfSigned(config: Config): boolean {
  return config.isLocal && config.ACME_DIRECTORY === undefined && config.CERTIFICATE_FILES === undefined;
}

/** The dashboard's host, and a wildcard for all names below SITES_DOMAIN. */
export function platformNames({ APP_URL, SITES_DOMAIN }: Config): string[] {
  return [APP_URL.hostname, `*.${SITES_DOMAIN.replace(/:\d+$/, "")}`];
}

/** On this machine, the private key of the self-signed certificate serves as the secret. */
function localSecret({ DATA_DIR }: Config): string {
  return readFileSync(selfSignedFiles(DATA_DIR).key, "utf8");
}

function splitPair(pair: string) {
  const [chain = "", key = ""] = pair.split(":");
  return { chain, key };
}
