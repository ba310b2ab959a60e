import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { encryptionSecrets } from "../platform/encryptionKey.ts";
import { derive, SecretBox } from "../platform/SecretBox.ts";
import { UnsubscribeLinks } from "./unsubscribe.ts";

/** What the platform needs to write to its customers. */
export interface Mail {
  db: Db;
  /** encrypts links and codes in the outbox */
  box: SecretBox;
  unsubscribe: UnsubscribeLinks;
  /** the mail server; undefined: messages wait */
  smtpUrl: string | undefined;
  brand: string;
  appUrl: URL;
  /** the sender: customers can answer every message */
  supportEmail: string;
  /** signs the mail provider's reports of bounces */
  webhookSecret: string | undefined;
  log: FastifyBaseLogger;
}

export function createMail(config: Config, db: Db, smtpUrl: string | undefined, log: FastifyBaseLogger): Mail {
  const secrets = encryptionSecrets(config);
  return {
    db,
    box: new SecretBox(secrets),
    unsubscribe: new UnsubscribeLinks(
      config.APP_URL,
      secrets.map((secret) => derive(secret, "unsubscribe links")),
    ),
    smtpUrl,
    brand: config.BRAND_NAME,
    appUrl: config.APP_URL,
    supportEmail: config.SUPPORT_EMAIL,
    webhookSecret: config.MAIL_WEBHOOK_SECRET,
    log,
  };
}
