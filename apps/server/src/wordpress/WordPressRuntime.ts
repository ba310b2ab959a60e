import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Recipe } from "@nido/contract";
import type { OpenedBackup } from "./BackupStore.ts";
import type { CoreStore, Cores } from "./core/CoreStore.ts";

/** Where a site runs: on this machine, embedded or native, or on Kubernetes. */
export const runtimeNames = ["local", "kubernetes"] as const;
export type RuntimeName = (typeof runtimeNames)[number];

/** A site, as its runtime knows it. */
export interface Site {
  /** the project's id */
  id: string;
  recipe: Recipe;
  /** its address, which its links begin with */
  url: string;
  /** its WordPress version */
  core: string;
  /** its PHP version, where there is a choice */
  php?: string;
  runtime: RuntimeName;
  /** Only the platform itself may run its PHP. */
  isMoving?: boolean;
  /** Visitors who are not signed in see that it is being worked on. */
  isMaintained?: boolean;
  /** It is a copy of another site, to try changes on. */
  isStaging?: boolean;
}

export interface SiteRequest {
  method: string;
  /** path and query string as the visitor sent them */
  url: string;
  headers: IncomingHttpHeaders;
  body?: Readable | undefined;
  /** the PHP file to run: in WordPress itself, in the site's own content, or in the platform's folder */
  script: { in: "core" | "content" | "nido"; path: string };
  visitor: string;
  /** The platform makes the request itself: it does not show that anybody uses the site. */
  isOwn?: boolean;
  /** server variables that only the platform can set; their names begin with NIDO_ */
  server?: Record<string, string>;
  /** time limit; requests of the platform itself may take longer than a visitor's */
  seconds?: number;
  /** Ends PHP. Without it, PHP goes on when nobody waits any longer. */
  signal?: AbortSignal;
}

export interface SiteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** A response of a machine that has the site's files. */
export interface RemoteResponse extends SiteResponse {
  /** It is a file, with all its headers; otherwise PHP's answer. */
  isFile: boolean;
}

/** What a site tells the platform. */
export interface SiteReport {
  /** a value that changes with every change that visitors would see */
  pages: string;
  /** when its next WP-Cron event is due, in seconds since 1970; 0: never; undefined if that is not known */
  nextCron: number | undefined;
  /** whether messages wait in its outbox */
  hasMail: boolean;
  /** the most memory that a request of the last weeks has needed, in bytes, as the site says */
  memoryPeak?: number;
}

/** Where a site's files are on this machine. */
export interface SiteFolders {
  /** WordPress itself */
  core: string;
  /** the site's own */
  content: string;
}

/** A message in a site's outbox. */
export interface WaitingMessage {
  /** in milliseconds since 1970 */
  writtenAt: number;
  /** undefined if it is too large */
  content: Buffer | undefined;
}

/** Runs WordPress sites. */
export interface WordPressRuntime {
  readonly name: RuntimeName;
  /** the WordPress versions that it has */
  readonly cores: Cores;
  /** The PHP versions that it has. The first one is that of new sites; empty: there is no choice. */
  readonly phpVersions: readonly string[];
  /** Creates the site's database, empty or from a prepared one. An existing one is replaced. */
  createDatabase(site: Site, prepared?: string): Promise<void>;
  /** Whether a prepared database of this name exists for a WordPress version. */
  hasPrepared(core: string, name: string): Promise<boolean>;
  /** Keeps a copy of the site's database as a prepared one. */
  savePrepared(site: Site, name: string): Promise<void>;
  /** Creates the site's own files. */
  createFiles(site: Site): Promise<void>;
  /** Runs PHP for a request. Rejects with RuntimeFailed if PHP does not answer. */
  answer(site: Site, request: SiteRequest): Promise<SiteResponse>;
  /** Restarts PHP with the site's WordPress version and plan, where a request alone does not do so. */
  update?(site: Site): Promise<void>;
  /** What the site has told the platform up to now. */
  report(siteId: string): Promise<SiteReport>;
  /** Stops the site's PHP. The next request starts it again. */
  stopSite(siteId: string): Promise<void>;
  /** in bytes */
  diskUse(siteId: string): Promise<number>;
  /** The site's files and a consistent copy of its database, as a compressed tar archive. */
  pack(site: Site, signal: AbortSignal): Promise<Readable>;
  /** Replaces the site with one of its backups, which `pack` made. */
  restore(site: Site, backup: OpenedBackup): Promise<void>;
  /** The names of messages in the site's outbox, up to a number of them. */
  listMail(siteId: string, limit: number): Promise<string[]>;
  /** Undefined if there is no such message. */
  readMail(siteId: string, name: string, maxBytes: number): Promise<WaitingMessage | undefined>;
  removeMail(siteId: string, name: string): Promise<void>;
  /** The WordPress version that the site was installed with; undefined until its installation is complete. */
  installedCore(siteId: string): Promise<string | undefined>;
  markInstalled(site: Site): Promise<void>;
  unmarkInstalled(siteId: string): Promise<void>;
  /** The site's files; undefined if they are not on this machine. Then `visit` answers requests for them. */
  folders(site: Site): SiteFolders | undefined;
  visit?(site: Site, request: Omit<SiteRequest, "script">): Promise<RemoteResponse>;
  /** Removes the site's files, database and processes. */
  remove(siteId: string): Promise<void>;
  stop(): Promise<void>;
}

/** The options of every runtime. */
export interface RuntimeOptions {
  dataDir: string;
  cores: CoreStore;
  /** Folder with the must-use plugins and the database driver shared by all sites. */
  platform: () => Promise<string>;
  /** time limit of a visitor's request */
  requestSeconds: number;
  /** Whether PHP may be started for a visitor: not while the site is being moved. */
  mayStart: (siteId: string) => Promise<boolean>;
}

/** PHP did not answer: it was overloaded, took too long, used too much memory, or crashed. */
export class RuntimeFailed extends Error {
  override name = "RuntimeFailed";
}
