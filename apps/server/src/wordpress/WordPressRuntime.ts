import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import type { Recipe } from "@nido/contract";
import type { CoreStore } from "./core/CoreStore.ts";

/** What a runtime needs to know of a site. */
export interface Site {
  /** the project's */
  id: string;
  recipe: Recipe;
  /** where it answers; its links begin with this */
  url: string;
  /** the version of WordPress that it runs on */
  core: string;
}

export interface SiteRequest {
  method: string;
  /** path and query, as the visitor sent them */
  url: string;
  headers: IncomingHttpHeaders;
  body?: Readable | undefined;
  /** the PHP file that answers: in WordPress itself, in the site's own content, or one of ours */
  script: { in: "core" | "content" | "nido"; path: string };
  visitor: string;
  /** said to PHP, and by nobody else: names begin with NIDO_ */
  server?: Record<string, string>;
  /** for what the platform itself asks for, which may take longer than a visitor's request */
  seconds?: number;
}

export interface SiteResponse {
  status: number;
  headers: IncomingHttpHeaders;
  body: Readable;
}

/** Where WordPress runs. */
export interface WordPressRuntime {
  /** Makes the site's database, empty or from a file that `prepareDatabase` made. What was there is gone. */
  createDatabase(site: Site, prepared?: string): Promise<void>;
  /** Lays out the site's own files. */
  createFiles(site: Site): Promise<void>;
  /** Runs PHP for a request. Rejects with RuntimeFailed where there is no answer. */
  answer(site: Site, request: SiteRequest): Promise<SiteResponse>;
  /** Ends whatever runs for a site; the next request starts it again. */
  rest(siteId: string): Promise<void>;
  /** Copies the database, as it is at one moment, into the site's folder `backup`. */
  snapshot(site: Site): Promise<void>;
  /** the name of that file */
  readonly copyName: string;
  /** Puts a folder with a site's files and such a copy in the place of the site. */
  restore(site: Site, folder: string): Promise<void>;
  /** Removes everything of a site. */
  remove(siteId: string): Promise<void>;
  stop(): Promise<void>;
}

/** What every runtime works with. */
export interface RuntimeOptions {
  dataDir: string;
  cores: CoreStore;
  /** where that is which every site runs besides WordPress */
  platform: () => Promise<string>;
  /** how long a visitor's request may take */
  requestSeconds: number;
}

/** PHP did not answer: it has too much to do, took too long, used too much, or broke. */
export class RuntimeFailed extends Error {
  override name = "RuntimeFailed";
}
