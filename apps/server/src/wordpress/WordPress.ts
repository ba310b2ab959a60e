import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { CoreStore } from "./core/CoreStore.ts";
import { preparePlatform } from "./core/preparePlatform.ts";
import { coreSources } from "./core/sources.ts";
import { EmbeddedRuntime } from "./embedded/EmbeddedRuntime.ts";
import { NativeRuntime } from "./native/NativeRuntime.ts";
import type { PageGenerations } from "./PageGenerations.ts";
import { SiteReports } from "./SiteReports.ts";
import type { Site, WordPressRuntime } from "./WordPressRuntime.ts";

/** The dependencies of provisioning and running WordPress sites. */
export interface WordPress {
  db: Db;
  dataDir: string;
  cores: CoreStore;
  runtime: WordPressRuntime;
  /** Runs PHP for a request, and records what the site reports. Rejects with RuntimeFailed if PHP does not answer. */
  answer: WordPressRuntime["answer"];
  reports: SiteReports;
  generations: PageGenerations;
  /** Folder with the must-use plugins and the database driver shared by all sites. */
  platform: () => Promise<string>;
  /** The address of a site: its primary domain, or the controlled one. */
  urlOf: (name: string, primary?: string | null) => string;
  log: FastifyBaseLogger;
  /** Aborts long-running work when the product stops. */
  signal: AbortSignal;
  stop: () => Promise<void>;
}

export function createWordPress(
  db: Db,
  config: Config,
  generations: PageGenerations,
  log: FastifyBaseLogger,
): WordPress {
  const {
    DATA_DIR: dataDir,
    APP_URL: appUrl,
    SITES_DOMAIN: domain,
    WORDPRESS_REQUEST_SECONDS: requestSeconds,
  } = config;
  const folder = join(dataDir, "wordpress");
  const cores = new CoreStore(folder, coreSources(config.WORDPRESS_CORE), log);
  const platform = once(() => preparePlatform(folder));
  const shared = { dataDir, cores, platform, requestSeconds };
  const runtime =
    config.WORDPRESS_RUNTIME === "native"
      ? new NativeRuntime({ ...shared, runFolder: config.RUN_DIR })
      : new EmbeddedRuntime({ ...shared, db });
  const reports = new SiteReports({ db, runtime, generations, log, requestSeconds });
  const stopping = new AbortController();
  return {
    db,
    dataDir,
    cores,
    runtime,
    answer: (site, request) => reports.answer(site, request),
    reports,
    generations,
    platform,
    urlOf: (name, primary) =>
      `${appUrl.protocol}//${primary ? primary + (/:\d+$/.exec(domain)?.[0] ?? "") : `${name}.${domain}`}`,
    log,
    signal: stopping.signal,
    stop: async () => {
      stopping.abort();
      cores.stop();
      await runtime.stop();
    },
  };
}

/** A project's WordPress as its runtime needs it. */
export function siteOf(
  { urlOf }: WordPress,
  project: Omit<Site, "url"> & { name: string; primary: string | null },
): Site {
  const { id, recipe, core, name, primary } = project;
  return { id, recipe, core, url: urlOf(name, primary) };
}

/** Memoizes an async function; a failed call is repeated next time. */
function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => {
    made ??= make().catch((error) => {
      made = undefined;
      throw error;
    });
    return made;
  };
}
