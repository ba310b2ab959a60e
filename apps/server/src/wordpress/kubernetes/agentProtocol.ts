import type { SiteRequest } from "../WordPressRuntime.ts";

/**
 * How the platform speaks to the agent in a site's pod: HTTPS with a key that only the two know (TLS-PSK). Neither a
 * neighbouring pod nor one that was given the address of another can take part in the handshake.
 */
export const pskOptions = { ciphers: "ECDHE-PSK-CHACHA20-POLY1305", maxVersion: "TLSv1.2" } as const;
export const agentPort = 8443;

/** A request with this header, an AgentCall as base64url, is a visitor's. All others are the platform's own. */
export const callHeader = "x-nido-call";
export interface AgentCall {
  /** the site's address */
  siteUrl: string;
  isStaging?: boolean;
  /** undefined: the agent finds out by the site's files */
  script?: SiteRequest["script"];
  visitor: string;
  server?: Record<string, string>;
  seconds: number;
}

/** Set by the agent on its answer: "file", or why PHP did not answer. */
export const fileHeader = "x-nido-file";
export const faultHeader = "x-nido-fault";

/** The platform's own requests. */
export const agentPaths = {
  report: "/report",
  disk: "/disk",
  /** GET: names; GET, DELETE below it: one message */
  mail: "/mail",
  /** GET: a dump; PUT: imports one */
  database: "/database",
  /** PUT: reads a backup to its end, and fails if it is damaged */
  check: "/check",
  /** GET: a backup; PUT: replaces the files with those of a backup, and answers with its settings */
  files: "/files",
  /** PUT: imports the database of a backup */
  backupDatabase: "/backup-database",
} as const;

export const writtenAtHeader = "x-nido-written-at";
export const maxMailBytes = 30 * 2 ** 20;

/** The paths inside the pod. */
export const inPod = {
  /** the site's volume */
  site: "/site",
  core: "/opt/wordpress/wordpress",
  platform: "/opt/nido",
  /** the site's settings, for PHP and the agent */
  settings: "/run/nido/settings/site.json",
  /** the agent's own key */
  key: "/run/nido/agent/key",
  fpmConfig: "/run/nido/settings/fpm.conf",
  sockets: "/run/nido/php",
  phpSocket: "/run/nido/php/php.sock",
  tmp: "/tmp",
} as const;
