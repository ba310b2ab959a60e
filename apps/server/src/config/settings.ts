import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { countries, type PaymentMethod, paymentMethods } from "@nido/contract";
import { z } from "zod";

const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const onOff = z.enum(["on", "off"], { error: "must be on or off" }).transform((value) => value === "on");
const wholeNumber = (min: number, max: number) => {
  const rule = { error: `must be a whole number from ${min} to ${max}` };
  return z.coerce.number(rule).int(rule).min(min, rule).max(max, rule);
};

const list = (isEntry: (entry: string) => boolean | number, fault: string) =>
  z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(isEntry), fault);

const port = wholeNumber(1, 65535);
/** What a process can do: serve the dashboard and its API, serve customers' sites, run jobs. */
export const roles = ["web", "edge", "worker"] as const;
export type Role = (typeof roles)[number];
const wordpressRuntimes = ["embedded", "native", "kubernetes"] as const;
type WordPressRuntimeName = (typeof wordpressRuntimes)[number];
/** External account binding: key id and MAC key */
const eab = z.string().regex(/^[^:]+:[\w-]+$/, "must be KEY_ID:KEY, as given by the authority");

/** Every setting of the product, by the name of its environment variable. */
export const settings = {
  PORT: port.default(3000),
  SANDBOX_PORT: port.optional(),
  HTTPS_PORT: port.optional(),
  HTTP_PORT: port.optional(),
  CERTIFICATE_FILES: list(
    (entry) => /^[^:]+:[^:]+$/.test(entry),
    "must be pairs of files like /path/chain.pem:/path/key.pem, with commas between them",
  ).optional(),
  ENCRYPTION_KEY: list(
    (entry) => entry.length >= 32,
    "must have at least 32 characters; to replace it, put the new key first, then a comma and the old key",
  ).optional(),
  ACME_DIRECTORY: webUrl.optional(),
  ACME_FALLBACK_DIRECTORY: webUrl.optional(),
  ACME_EMAIL: z.email("must be an e-mail address").optional(),
  ACME_EAB: eab.optional(),
  ACME_FALLBACK_EAB: eab.optional(),
  DNS_CHALLENGE_COMMAND: z.string().optional(),
  DNS_CHALLENGE_NSUPDATE: z
    .string()
    .regex(/^[^\s@]+@[^\s@]+$/, "must be like /path/to/tsig.key@192.0.2.53")
    .optional(),
  PROCESSES: wholeNumber(1, 64).default(1),
  ROLES: list(
    (entry) => roles.includes(entry as Role),
    `must be one or more of ${roles.join(", ")}, with commas between them`,
  )
    .transform((entries) => new Set(entries as Role[]))
    .prefault(roles.join()),
  HEALTH_PORT: port.optional(),
  SFTP_PORT: port.optional(),
  SFTP_HOST: z.string().optional(),
  DRAIN_SECONDS: wholeNumber(0, 600).default(0),
  HOST: z.string().default("127.0.0.1"),
  APP_URL: webUrl.transform((url) => new URL(url)).optional(),
  SITES_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, "must be a host name")
    .optional(),
  SITES_CERTIFICATES: z.enum(["wildcard", "on-demand"], { error: "must be wildcard or on-demand" }).default("wildcard"),
  SITES_ADDRESSES: list(isIP, "must be addresses, with commas between them").optional(),
  DNS_SERVERS: list(isServer, "must be addresses, with or without a port, and commas between them").optional(),
  DATA_DIR: z.string().optional(),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, "must be a postgres:// address")
    .optional(),
  GOOGLE_CLIENT_ID: z.string().optional(),
  GOOGLE_CLIENT_SECRET: z.string().optional(),
  STRIPE_SECRET_KEY: z.string().optional(),
  STRIPE_WEBHOOK_SECRET: z.string().optional(),
  STRIPE_API_URL: webUrl.transform((url) => new URL(url)).optional(),
  STRIPE_AUTOMATIC_TAX: onOff.default(false),
  STRIPE_TAX_COUNTRY: z.enum(countries, { error: "must be a country code like ES" }).optional(),
  STRIPE_TAX_ID_COLLECTION: onOff.default(false),
  PAYMENT_METHODS: list(
    (entry) => paymentMethods.includes(entry as PaymentMethod),
    `must be one or more of ${paymentMethods.join(", ")}, with commas between them`,
  )
    // A customer whose direct debit failed can still pay by card.
    .refine((entries) => entries.includes("card"), "must contain card")
    .transform((entries) => [...new Set(entries)] as PaymentMethod[])
    .prefault("card"),
  DEMO_EMAIL: z.email("must be an e-mail address").default("demo@nido.example"),
  DEMO_PASSWORD: z.string().min(8, "must have at least 8 characters").default("Demo1234"),
  SESSION_DAYS: wholeNumber(1, 365).default(30),
  SESSION_IDLE_DAYS: wholeNumber(1, 365).default(14),
  SECOND_FACTOR_FOR: list(
    (entry) => /^[^@\s]*@[^@\s]+$/.test(entry),
    "must be e-mail addresses or @domains, with commas between them",
  )
    .transform((entries) => entries.map((entry) => entry.toLowerCase()))
    .default([]),
  BRAND_NAME: z.string().max(40, "must have at most 40 characters").default("Nido"),
  SUPPORT_EMAIL: z.email("must be an e-mail address").default("support@nido.example"),
  TERMS_URL: webUrl.default("https://nido.example/terms"),
  PRIVACY_URL: webUrl.default("https://nido.example/privacy"),
  TRAFFIC_STATISTICS: onOff.default(true),
  /** a JSON file with the entries of "What's new" */
  NEWS_FILE: z.string().optional(),
  BLOG_URL: webUrl.default("https://nido.example/blog/domains"),
  REFERRAL_URL_ES: webUrl.optional(),
  REFERRAL_URL_EN: webUrl.optional(),
  REFERRAL_PERCENT_OFF: wholeNumber(1, 100).default(20),
  REFERRAL_DURATION: z.enum(["once", "forever"], { error: "must be once or forever" }).default("once"),
  REFERRAL_EARNING_PERCENT: wholeNumber(0, 100).default(10),
  GRACE_DAYS: wholeNumber(0, 365).default(7),
  WORDPRESS_RUNTIME: list(
    (entry) => wordpressRuntimes.includes(entry as WordPressRuntimeName),
    "must be embedded, native or kubernetes; or native,kubernetes while sites are moved, with that of new sites first",
  )
    .refine((names) => !(names.includes("embedded") && names.length > 1), "cannot have embedded beside another one")
    .transform((names) => [...new Set(names)] as WordPressRuntimeName[])
    .default(["embedded"]),
  WORDPRESS_IMAGE: z
    .string()
    .regex(
      /^[\w.:/-]+:\d+(\.\d+){1,3}$/,
      "must be an image whose tag is a WordPress version, like host/wordpress:6.8.3",
    )
    .optional(),
  KUBERNETES_NAMESPACE: z
    .string()
    .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, "must be the name of a namespace")
    .default("nido-sites"),
  KUBERNETES_STORAGE_CLASS: z.string().optional(),
  KUBERNETES_RUNTIME_CLASS: z.string().optional(),
  KUBERNETES_IDLE_MINUTES: wholeNumber(25, 1440).default(30),
  MARIADB_URLS: list(
    (entry) => /^(mariadb|mysql):\/\/[^@]+@[^/]+\/?$/.test(entry),
    "must be addresses like mariadb://root:PASSWORD@host:3306, with commas between them",
  )
    .transform((entries) => entries.map((entry) => new URL(entry)))
    .optional(),
  WORDPRESS_CORE: z
    .string()
    .refine(existsSync, "does not exist: it must be a folder or a zip with WordPress in it")
    .optional(),
  WORDPRESS_LANGUAGES: z
    .string()
    .refine(existsSync, "does not exist: it must be a folder or a zip with WordPress's language packs in it")
    .optional(),
  WORDPRESS_CLI: z.string().refine(existsSync, "does not exist: it must be a wp-cli.phar").optional(),
  RUN_DIR: z.string().default("/run/nido"),
  WORDPRESS_REQUEST_SECONDS: wholeNumber(1, 600).default(30),
  DEPLOYS_KEEP: wholeNumber(1, 1000).default(20),
  DEPLOYS_KEEP_DAYS: wholeNumber(0, 3650).default(30),
  S3_URL: z
    .url({ protocol: /^https?$/, error: "must be an address like https://KEY:SECRET@host/bucket?region=eu-west-1" })
    .transform((url) => new URL(url))
    .optional(),
  SMTP_URL: z
    .string()
    .regex(/^smtps?:\/\//, "must be an smtp:// or smtps:// address")
    .optional(),
  MAIL_WEBHOOK_SECRET: z
    .string()
    .regex(/^whsec_[A-Za-z0-9+/=]{24,}$/, "must be the secret that the mail provider shows, like whsec_…")
    .optional(),
  MAIL_FROM: z.email("must be an e-mail address").optional(),
  PROXY_PROTOCOL: onOff.default(false),
  TRUSTED_PROXIES: list(isAddressOrNetwork, "must be addresses or networks, with commas between them").optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
};

/** Settings whose value is never printed. */
export const secrets = new Set([
  "DATABASE_URL",
  "GOOGLE_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "S3_URL",
  "MARIADB_URLS",
  "SMTP_URL",
  "MAIL_WEBHOOK_SECRET",
  "DEMO_PASSWORD",
  "ENCRYPTION_KEY",
  "ACME_EAB",
  "ACME_FALLBACK_EAB",
]);

function isAddressOrNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const maxBits = isIP(address) === 6 ? 128 : 32;
  return (
    isIP(address) > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= maxBits))
  );
}

function isServer(entry: string): boolean {
  const [, address = entry, port = "53"] =
    /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(entry)?.filter((part) => part !== undefined) ?? [];
  return isIP(address) > 0 && Number(port) < 65536;
}
