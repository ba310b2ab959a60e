import { Resolver } from "node:dns/promises";
import { readFileSync } from "node:fs";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { encryptionSecrets } from "../platform/encryptionKey.ts";
import { derive, SecretBox } from "../platform/SecretBox.ts";
import { Authorities, type Authority } from "./Authorities.ts";
import type { AccountBinding } from "./acme/AcmeClient.ts";
import { CertificateFiles } from "./CertificateFiles.ts";
import type { CertificateOrders } from "./CertificateOrders.ts";
import { Challenges } from "./Challenges.ts";
import { DnsChallenge } from "./DnsChallenge.ts";
import { IssuedCertificates } from "./IssuedCertificates.ts";
import { covers } from "./names.ts";
import { SecureContexts } from "./SecureContexts.ts";
import { namesOf } from "./secureContext.ts";
import { selfSignedFiles } from "./selfSigned.ts";

const letsEncrypt = "https://acme-v02.api.letsencrypt.org/directory";

export type Certificates = ReturnType<typeof createCertificates>;

/** What this process needs to speak HTTPS. */
export function createCertificates(config: Config, db: Db, isListening: () => boolean, log: FastifyBaseLogger) {
  const secrets = encryptionSecrets(config);
  const pairs = config.CERTIFICATE_FILES?.map(splitPair) ?? [];
  const files = new CertificateFiles(
    isSelfSigned(config) ? [...pairs, selfSignedFiles(config.DATA_DIR)] : pairs,
    (error, file) => log.error({ err: error, file }, "could not read a certificate"),
  );
  const box = new SecretBox(secrets);
  const issued = new IssuedCertificates({ db, box, isListening, platformNames: platformNames(config) });
  const authorities = authoritiesOf(config);
  return {
    files,
    issued,
    challenges: new Challenges(db),
    /** undefined if no authority is used */
    orders: authorities.length > 0 ? createOrders(config, { db, box, log }, authorities) : undefined,
    contexts: new SecureContexts(files, issued),
    ticketSecret: derive(secrets[0] as string, "session tickets"),
  };
}

function createOrders(
  config: Config,
  { db, box, log }: Pick<CertificateOrders, "db" | "box" | "log">,
  authorities: Authority[],
): CertificateOrders {
  const { DNS_CHALLENGE_COMMAND: command, DNS_CHALLENGE_NSUPDATE: update, DNS_SERVERS: servers } = config;
  const [keyFile = "", server = ""] = update?.split("@") ?? [];
  const lookUpText = async (name: string) => {
    const resolver = new Resolver({ timeout: 2000, tries: 1 });
    if (servers) resolver.setServers(servers);
    return (await resolver.resolveTxt(name)).map((parts) => parts.join(""));
  };
  const dns =
    command || update
      ? new DnsChallenge({ command, nsupdate: update ? { keyFile, server } : undefined, lookUpText })
      : undefined;
  // Without a way to prove a wildcard there is no point in ordering one.
  const names = platformNames(config).filter((name) => dns || !name.startsWith("*."));
  // The operator's own certificates take precedence.
  const provided = (config.CERTIFICATE_FILES ?? []).flatMap((pair) => namesIn(splitPair(pair).chain));
  return {
    db,
    box,
    log,
    dns,
    authorities: new Authorities(authorities, db, box),
    platformNames: names.filter((name) => !covers(provided, name)),
    keptNames: platformNames(config),
  };
}

/** The certificate authorities, the preferred one first; none on this machine, unless one is configured. */
function authoritiesOf(config: Config): Authority[] {
  const { ACME_EMAIL: email, ACME_FALLBACK_DIRECTORY: fallback } = config;
  const first = config.ACME_DIRECTORY ?? (config.isLocal ? undefined : letsEncrypt);
  return [
    ...(first ? [{ directory: first, email, binding: parseBinding(config.ACME_EAB) }] : []),
    ...(first && fallback ? [{ directory: fallback, email, binding: parseBinding(config.ACME_FALLBACK_EAB) }] : []),
  ];
}

function parseBinding(text: string | undefined): AccountBinding | undefined {
  const [id = "", key = ""] = text?.split(":") ?? [];
  return text ? { id, key } : undefined;
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
/** The names in a certificate file; none while it cannot be read. */
function namesIn(chain: string): string[] {
  try {
    return namesOf(readFileSync(chain, "utf8"));
  } catch {
    return [];
  }
}

function splitPair(pair: string) {
  const [chain = "", key = ""] = pair.split(":");
  return { chain, key };
}
