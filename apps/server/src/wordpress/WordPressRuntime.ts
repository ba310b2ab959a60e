import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Recipe } from "@nido/contract";
import type { CoreStore } from "./core/CoreStore.ts";

/** A site, as its runtime knows it. */
export interface Site {
  /** the project's id */
  id: string;
  recipe: Recipe;
  /** its address, which its links begin with */
  url: string;
  /** its WordPress version */
  core: string;
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
  /** server variables that only the platform can set; their names begin with NIDO_ */
  server?: Record<string, string>;
  /** time limit; requests of the platform itself may take longer than a visitor's */
  seconds?: number;
}

export interface SiteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** What a site tells the platform. */
export interface SiteReport {
  /** a value that changes with every change that visitors would see */
  pages: string;
  /** when its next WP-Cron event is due, in seconds since 1970; 0: never; undefined if that is not known */
  nextCron: number | undefined;
  /** whether messages wait in its outbox */
  hasMail: boolean;
}

/** Runs WordPress sites. */
export interface WordPressRuntime {
  /** Creates the site's database, empty or from a file made by `prepareDatabase`. An existing one is replaced. */
  createDatabase(site: Site, prepared?: string): Promise<void>;
  /** Creates the site's own files. */
  createFiles(site: Site): Promise<void>;
  /** Runs PHP for a request. Rejects with RuntimeFailed if PHP does not answer. */
  answer(site: Site, request: SiteRequest): Promise<SiteResponse>;
  /** What the site has told the platform up to now. */
  report(siteId: string): Promise<SiteReport>;
  /** Stops the site's PHP. The next request starts it again. */
  stopSite(siteId: string): Promise<void>;
  /** Writes a consistent copy of the database into the site's `backup` folder. */
  snapshot(site: Site): Promise<void>;
  /** the file name of that copy */
  readonly copyName: string;
  /** Replaces the site with one of its backups. `archive` is the path of a file that `backUp` made. */
  restore(site: Site, archive: string): Promise<void>;
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
}

/** PHP did not answer: it was overloaded, took too long, used too much memory, or crashed. */
export class RuntimeFailed extends Error {
  override name = "RuntimeFailed";
}
