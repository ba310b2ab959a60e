import { createHash } from "node:crypto";
import { isIP } from "node:net";
import { homedir } from "node:os";
import { join, resolve } from "node:path";
import { getDomain } from "tldts";
import type { z } from "zod";
import { ConfigError } from "./ConfigError.ts";
import { roles, settings as schemas, secrets } from "./settings.ts";

export type Config = ReturnType<typeof parseConfig>;

type Environment = Record<string, string | undefined>;
type Settings = { [Name in keyof typeof schemas]: z.output<(typeof schemas)[Name]> };

const pairs = [
  ["GOOGLE_CLIENT_ID", "GOOGLE_CLIENT_SECRET"],
  ["STRIPE_SECRET_KEY", "STRIPE_WEBHOOK_SECRET"],
] as const;

/** Reads all settings once and reports every fault together. An empty value counts as not set. */
export function parseConfig(environment: Environment) {
  const env = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value !== ""),
  );
  const { settings, faults } = parseEach(env);
  for (const [one, other] of pairs) {
    if (Boolean(env[one]) === Boolean(env[other])) continue;
    const [set, missing] = env[one] ? [one, other] : [other, one];
    faults.push(`${set} is set but ${missing} is not: set both, or neither.`);
  }

  if (settings.PROXY_PROTOCOL && !env["TRUSTED_PROXIES"])
    faults.push("PROXY_PROTOCOL=on needs TRUSTED_PROXIES: the addresses of the load balancers that send its header.");

  if (settings.ROLES && settings.ROLES.size < roles.length) {
    const together = `with ROLES=${env["ROLES"]}, several processes share`;
    if (!env["DATABASE_URL"]) faults.push(`DATABASE_URL is not set: ${together} one database.`);
    if (!env["ENCRYPTION_KEY"]) faults.push(`ENCRYPTION_KEY is not set: ${together} one key for secrets.`);
    if (!env["STRIPE_SECRET_KEY"])
      faults.push(`STRIPE_SECRET_KEY is not set: ${together} one payment provider, and the stand-in cannot be shared.`);
  }

  if (settings.WORDPRESS_RUNTIME?.includes("kubernetes"))
    for (const name of ["WORDPRESS_IMAGE", "MARIADB_URLS", "S3_URL", "ENCRYPTION_KEY"])
      if (!env[name]) faults.push(`${name} is not set: WORDPRESS_RUNTIME=${env["WORDPRESS_RUNTIME"]} needs it.`);

  const appUrl = settings.APP_URL ?? defaultAppUrl(settings);
  const isLocal = isLoopback(appUrl.hostname);
  const sitesDomain = settings.SITES_DOMAIN ?? (isLocal ? appUrl.host : "");
  if (!env["APP_URL"] || settings.APP_URL) faults.push(...faultsTogether(appUrl, isLocal, sitesDomain, env));
  if (faults.length > 0) throw new ConfigError(faults.join("\n"));

  return {
    ...settings,
    /** the port for plain HTTP */
    HTTP_PORT: settings.HTTP_PORT ?? settings.PORT,
    SANDBOX_PORT: settings.SANDBOX_PORT ?? (settings.PORT === 65535 ? 65534 : settings.PORT + 1),
    APP_URL: appUrl,
    SITES_DOMAIN: sitesDomain,
    SITES_ADDRESSES: (settings.SITES_ADDRESSES ?? ["127.0.0.1"]).map(normalizeAddress),
    REFERRAL_URL_ES: settings.REFERRAL_URL_ES ?? new URL("/selectcategory?lang=es", appUrl).href,
    REFERRAL_URL_EN: settings.REFERRAL_URL_EN ?? new URL("/selectcategory?lang=en", appUrl).href,
    DATA_DIR: resolve(settings.DATA_DIR ?? defaultDataFolder()),
    // A newcomer's terminal should show the address, not every request.
    LOG_LEVEL: settings.LOG_LEVEL ?? (isLocal ? "warn" : "info"),
    /** APP_URL is a loopback address; only then do the stand-ins and the demo customer exist */
    isLocal,
  };
}

function defaultAppUrl({ HTTPS_PORT, PORT = 3000 }: Partial<Settings>): URL {
  return new URL(HTTPS_PORT ? `https://localhost:${HTTPS_PORT}` : `http://localhost:${PORT}`);
}

function parseEach(env: Environment) {
  const settings: Record<string, unknown> = {};
  const faults: string[] = [];
  for (const [name, schema] of Object.entries(schemas)) {
    const parsed = schema.safeParse(env[name]);
    settings[name] = parsed.data;
    if (!parsed.success) faults.push(`${describe(name, env)} ${parsed.error.issues[0]?.message}.`);
  }
  // With faults some values are undefined, but then the settings are not used.
  return { settings: settings as Settings, faults };
}

/** Faults of settings that are valid on their own but not together. */
function faultsTogether(appUrl: URL, isLocal: boolean, sitesDomain: string, env: Environment) {
  const faults: string[] = [];
  if (appUrl.pathname !== "/" || appUrl.search || appUrl.hash) {
    faults.push(`${describe("APP_URL", env)} must have no path: the dashboard lives at the root of its host.`);
  }
  const isSelfSigned = isLocal && !env["ACME_DIRECTORY"] && !env["CERTIFICATE_FILES"];
  if (env["HTTPS_PORT"] && !env["ENCRYPTION_KEY"] && !isSelfSigned) {
    faults.push(
      "ENCRYPTION_KEY is not set: HTTPS_PORT needs it to encrypt the private keys of certificates. Set it to the output of: openssl rand -hex 32",
    );
  }
  if (isLocal) return faults;
  if (env["STRIPE_API_URL"]) {
    faults.push(
      `${describe("STRIPE_API_URL", env)} is for trying out: it must not be set where APP_URL is ${appUrl.origin}.`,
    );
  }
  if (!env["STRIPE_SECRET_KEY"]) {
    faults.push(
      `STRIPE_SECRET_KEY is not set: the payment stand-in exists only while APP_URL is on this machine, and it is ${appUrl.origin}.`,
    );
  }
  if (!env["SITES_DOMAIN"]) {
    faults.push(`SITES_DOMAIN is not set: customers' sites need a domain apart from APP_URL=${appUrl.origin}.`);
  } else if (sitesDomain && registrable(sitesDomain) === registrable(appUrl.hostname)) {
    faults.push(
      `SITES_DOMAIN=${sitesDomain} must not share the registrable domain of APP_URL=${appUrl.origin}: a customer's site could set cookies for the dashboard.`,
    );
  }
  if (env["HTTPS_PORT"] && appUrl.protocol !== "https:") {
    faults.push(`${describe("APP_URL", env)} must begin with https: because HTTPS_PORT is set.`);
  }
  if (isLoopbackAddress(env["HOST"] ?? "127.0.0.1") && !env["TRUSTED_PROXIES"]) {
    faults.push(
      `TRUSTED_PROXIES is not set: with HOST=${env["HOST"] ?? "127.0.0.1"} all requests come from a proxy on this machine, and all visitors would seem to have its address. Set TRUSTED_PROXIES=127.0.0.1.`,
    );
  }
  if (!env["SITES_ADDRESSES"]) {
    faults.push("SITES_ADDRESSES is not set: customers whose domain cannot be a CNAME are told to point it there.");
  }
  return faults;
}

/** A folder per working copy, short enough for a socket path, and reachable for the user that runs PostgreSQL. */
function defaultDataFolder(): string {
  const workingCopy = resolve(import.meta.dirname, "../../../..");
  const id = createHash("sha256").update(workingCopy).digest("hex").slice(0, 8);
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

function isLoopbackAddress(host: string): boolean {
  return isLoopback(host) || host === "::1";
}

/** Normalizes an IPv6 address to the form that DNS returns. */
function normalizeAddress(address: string): string {
  return isIP(address) === 6 ? new URL(`http://[${address}]`).hostname.slice(1, -1) : address;
}

function registrable(host: string): string {
  const hostname = host.replace(/:\d+$/, "");
  return getDomain(hostname) ?? hostname;
}

function describe(name: string, env: Environment): string {
  return secrets.has(name) ? name : `${name}=${env[name]}`;
}

/** The name of the setting that holds the port for plain HTTP. */
export function httpPortSetting({ PORT, HTTP_PORT }: Config): "PORT" | "HTTP_PORT" {
  return HTTP_PORT === PORT ? "PORT" : "HTTP_PORT";
}
