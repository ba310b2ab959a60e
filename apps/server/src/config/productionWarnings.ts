import { getPublicSuffix } from "tldts";
import type { Config } from "./parseConfig.ts";

/** What is unsafe about valid settings, each with its remedy. Nothing on a local machine. */
export function productionWarnings(config: Config, uid = process.getuid?.()): string[] {
  if (config.isLocal) return [];
  const { APP_URL: appUrl, SITES_DOMAIN: sitesDomain } = config;
  const warnings = [
    !isPublicSuffix(sitesDomain) &&
      `SITES_DOMAIN=${sitesDomain} is not in the Public Suffix List, so browsers let one customer's site set cookies for all others. Submit it at https://publicsuffix.org. If the list has it already, this version of Nido contains an older copy.`,
    appUrl.protocol !== "https:" &&
      `APP_URL=${appUrl.origin} is not https: passwords and session cookies are sent unencrypted. Set an https address.`,
    config.WORDPRESS_RUNTIME.includes("embedded") &&
      "WORDPRESS_RUNTIME=embedded isolates sites by our own code, not by the kernel. Set WORDPRESS_RUNTIME=native for customers you do not know.",
    uid === 0 &&
      "Nido runs as root. Run it as a user of its own (deploy/nido.service); only the site manager needs root.",
    !config.DATABASE_URL &&
      "DATABASE_URL is not set: the embedded PostgreSQL is for trying out. Set the address of a server that you back up.",
    config.DATABASE_URL &&
      !config.ENCRYPTION_KEY &&
      `ENCRYPTION_KEY is not set: secrets in the database are encrypted with a key in ${config.DATA_DIR}, and lost with that folder. Set it to the content of ${config.DATA_DIR}/encryption.key.`,
    !config.SMTP_URL &&
      "SMTP_URL is not set: customers get no messages, and can neither sign up by e-mail nor reset a password.",
    config.SMTP_URL &&
      !config.MAIL_FROM &&
      `MAIL_FROM is not set: mail from customers' sites is sent from SUPPORT_EMAIL=${config.SUPPORT_EMAIL}. Set another address, preferably of a separate domain.`,
    config.HTTPS_PORT &&
      !config.DNS_CHALLENGE_NSUPDATE &&
      !config.DNS_CHALLENGE_COMMAND &&
      !config.CERTIFICATE_FILES &&
      `No certificate can be ordered for *.${sitesDomain}, so sites there are served without HTTPS. Set DNS_CHALLENGE_NSUPDATE, DNS_CHALLENGE_COMMAND or CERTIFICATE_FILES.`,
    config.SITES_CERTIFICATES === "on-demand" &&
      "SITES_CERTIFICATES=on-demand orders a certificate for each site and branch, and certificate authorities limit how many they issue for one domain. Use one wildcard certificate for SITES_DOMAIN.",
  ];
  return warnings.filter((warning) => typeof warning === "string");
}

function isPublicSuffix(domain: string): boolean {
  const host = domain.replace(/:\d+$/, "");
  return getPublicSuffix(host, { allowPrivateDomains: true }) === host;
}
