import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { getDomain } from "tldts";
import { z } from "zod";

export type Config = ReturnType<typeof parseConfig>;

/** A setting that cannot be used. Its message names the setting and the value, and is all the operator sees. */
export class ConfigError extends Error {
  override name = "ConfigError";
}

const webUrl = z.url({ protocol: /^https?$/, error: "must be an http or https address" });

const onOff = z.enum(["on", "off"], { error: "must be on or off" }).transform((value) => value === "on");
const wholeNumber = (least: number, most: number) => {
  const rule = { error: `must be a whole number from ${least} to ${most}` };
  return z.coerce.number(rule).int(rule).min(least, rule).max(most, rule);
};

const list = (isEntry: (entry: string) => boolean | number, fault: string) =>
  z
    .string()
    .transform((text) => text.split(",").map((entry) => entry.trim()))
    .refine((entries) => entries.every(isEntry), fault);

const port = wholeNumber(1, 65535);

const schemas = {
  PORT: port.default(3000),
  SANDBOX_PORT: port.optional(),
  PROCESSES: wholeNumber(1, 64).default(1),
  HOST: z.string().default("127.0.0.1"),
  APP_URL: webUrl.transform((url) => new URL(url)).optional(),
  SITES_DOMAIN: z
    .string()
    .regex(/^[a-z0-9.-]+(:\d+)?$/, "must be a host name")
    .optional(),
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
  STRIPE_TAX_ID_COLLECTION: onOff.default(false),
  DEMO_EMAIL: z.email("must be an e-mail address").default("demo@nido.example"),
  DEMO_PASSWORD: z.string().min(8, "must have at least 8 characters").default("Demo1234"),
  BRAND_NAME: z.string().max(40, "must have at most 40 characters").default("Nido"),
  SUPPORT_EMAIL: z.email("must be an e-mail address").default("support@nido.example"),
  TERMS_URL: webUrl.default("https://nido.example/terms"),
  PRIVACY_URL: webUrl.default("https://nido.example/privacy"),
  BLOG_URL: webUrl.default("https://nido.example/blog/domains"),
  REFERRAL_URL_ES: webUrl.optional(),
  REFERRAL_URL_EN: webUrl.optional(),
  REFERRAL_PERCENT_OFF: wholeNumber(1, 100).default(20),
  REFERRAL_DURATION: z.enum(["once", "forever"], { error: "must be once or forever" }).default("once"),
  REFERRAL_EARNING_PERCENT: wholeNumber(0, 100).default(10),
  GRACE_DAYS: wholeNumber(0, 365).default(7),
  WORDPRESS_RUNTIME: z.enum(["embedded", "native"], { error: "must be embedded or native" }).default("embedded"),
  WORDPRESS_CORE: z
    .string()
    .refine(existsSync, "does not exist: it must be a folder or a zip with WordPress in it")
    .optional(),
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
  MAIL_FROM: z.email("must be an e-mail address").optional(),
  TRUSTED_PROXIES: list(isAddressOrNetwork, "must be addresses or networks, with commas between them").optional(),
  LOG_LEVEL: z.enum(["fatal", "error", "warn", "info", "debug", "trace", "silent"]).optional(),
};
type Settings = { [Name in keyof typeof schemas]: z.output<(typeof schemas)[Name]> };

const secrets = new Set([
  "DATABASE_URL",
  "GOOGLE_CLIENT_SECRET",
  "STRIPE_SECRET_KEY",
  "STRIPE_WEBHOOK_SECRET",
  "S3_URL",
  "SMTP_URL",
  "DEMO_PASSWORD",
]);
const pairs = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
] as const;

/** Reads all settings once and reports every fault together. An empty value counts as not set. */
export function parseConfig(env: Record<string, string | undefined>) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ""));
  const { settings, faults } = parseEach(given);
  for (const [one, other] of pairs) {
    if (Boolean(given[one]) === Boolean(given[other])) continue;
    const [set, missing] = given[one] ? [one, other] : [other, one];
    faults.push(`${set} is set but ${missing} is not: set both, or neither.`);
  }

  const appUrl = settings.APP_URL ?? new URL(`http://localhost:${settings.PORT ?? 3000}`);
  const isLocal = isLoopback(appUrl.hostname);
  const sitesDomain = settings.SITES_DOMAIN ?? (isLocal ? appUrl.host : "");
  if (!given["APP_URL"] || settings.APP_URL) faults.push(...faultsTogether(appUrl, isLocal, sitesDomain, given));
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));

  return {
    ...settings,
    SANDBOX_PORT: settings.SANDBOX_PORT ?? (settings.PORT === 65535 ? 65534 : settings.PORT + 1),
    APP_URL: appUrl,
    SITES_DOMAIN: sitesDomain,
    SITES_ADDRESSES: (settings.SITES_ADDRESSES ?? ["127.0.0.1"]).map(asDnsHasIt),
    REFERRAL_URL_ES: settings.REFERRAL_URL_ES ?? new URL("/selectcategory?lang=es", appUrl).href,
    REFERRAL_URL_EN: settings.REFERRAL_URL_EN ?? new URL("/selectcategory?lang=en", appUrl).href,
    DATA_DIR: resolve(settings.DATA_DIR ?? defaultDataFolder()),
    // A newcomer's terminal should show the address, not every request.
    LOG_LEVEL: settings.LOG_LEVEL ?? (isLocal ? "warn" : "info"),
    /** stand-ins and the demo customer exist only here */
    isLocal,
  };
}

function parseEach(given: Record<string, string | undefined>) {
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const parsed = schema.safeParse(given[name]);
    settings[name] = parsed.data;
    if (!parsed.success) faults.push(`${shown(name, given)} ${parsed.error.issues[0]?.message}.`);
  }
  // Where there are faults some are undefined; nobody sees the settings then.
  return { settings: settings as Settings, faults };
}

/** What is wrong with settings that are each right by themselves. */
function faultsTogether(appUrl: URL, isLocal: boolean, sitesDomain: string, given: Record<string, string | undefined>) {
  const faults: string[] = [];
  if (appUrl.pathname !== "/" || appUrl.search || appUrl.hash) {
    faults.push(`${shown("APP_URL", given)} must have no path: the dashboard lives at the root of its host.`);
  }
  if (isLocal) return faults;
  if (given["STRIPE_API_URL"]) {
    faults.push(
      `${shown("STRIPE_API_URL", given)} is for trying out: it must not be set where APP_URL is ${appUrl.origin}.`,
    );
  }
  if (!given["STRIPE_SECRET_KEY"]) {
    faults.push(
      `STRIPE_SECRET_KEY is not set: the payment stand-in exists only while APP_URL is on this machine, and it is ${appUrl.origin}.`,
    );
  }
  if (!given["SITES_DOMAIN"]) {
    faults.push(`SITES_DOMAIN is not set: customers' sites need a domain apart from APP_URL=${appUrl.origin}.`);
  } else if (sitesDomain && registrable(sitesDomain) === registrable(appUrl.hostname)) {
    faults.push(
      `SITES_DOMAIN=${sitesDomain} must not share the registrable domain of APP_URL=${appUrl.origin}: a customer's site could set cookies for the dashboard.`,
    );
  }
  if (!given["SITES_ADDRESSES"]) {
    faults.push("SITES_ADDRESSES is not set: customers whose domain cannot be a CNAME are told to point it there.");
  }
  return faults;
}

/** The same for one checkout on every start, short enough for a socket's path, and where the database's own user may go. */
function defaultDataFolder(): string {
  const checkout = resolve(import.meta.dirname, "../../..");
  const id = createHash("sha256").update(checkout).digest("hex").slice(0, 8);
  const base =
    process.getuid?.() === 0 ? "/var/lib" : (process.env["XDG_DATA_HOME"] ?? join(homedir(), ".local/share"));
  return join(base, `nido-${id}`);
}

function isLoopback(hostname: string): boolean {
  return (
    hostname === "localhost" ||
    hostname.endsWith(".localhost") ||
    hostname === "[::1]" ||
    /^127(\.\d+){3}$/.test(hostname)
  );
}

function isAddressOrNetwork(entry: string): boolean {
  const [address = "", bits, ...rest] = entry.split("/");
  const most = isIP(address) === 6 ? 128 : 32;
  return isIP(address) > 0 && rest.length === 0 && (bits === undefined || (/^\d+$/.test(bits) && Number(bits) <= most));
}

/** An IPv6 address can be written in many ways. */
function asDnsHasIt(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function isServer(entry: string): boolean {
  const [, address = entry, port = "53"] =
    /^(?:\[(.*)\]|([^:]*)):(\d+)$/.exec(entry)?.filter((part) => part !== undefined) ?? [];
  return isIP(address) > 0 && Number(port) < 65536;
}

function registrable(host: string): string {
  const hostname = host.replace(/:\d+$/, "");
  return getDomain(hostname) ?? hostname;
}

function shown(name: string, env: Record<string, string | undefined>): string {
  return secrets.has(name) ? name : `${name}=${env[name]}`;
}
