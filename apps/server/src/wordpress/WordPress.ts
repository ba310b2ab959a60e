import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import type { Db } from "../db/connect.ts";
import { CoreStore } from "./core/CoreStore.ts";
import { preparePlatform } from "./core/preparePlatform.ts";
import { coreSources } from "./core/sources.ts";
import { EmbeddedRuntime } from "./embedded/EmbeddedRuntime.ts";
import { NativeRuntime } from "./native/NativeRuntime.ts";
import type { Site, WordPressRuntime } from "./WordPressRuntime.ts";

/** What WordPress sites are made and run with. */
export interface WordPress {
  db: Db;
  dataDir: string;
  cores: CoreStore;
  runtime: WordPressRuntime;
  /** where that is which every site runs besides WordPress */
  platform: () => Promise<string>;
  /** where a site of this name answers, or one that has a domain of its own */
  urlOf: (name: string, primary?: string | null) => string;
  log: FastifyBaseLogger;
  /** ends what runs for long when the product stops */
  signal: AbortSignal;
  stop: () => Promise<void>;
}

export function createWordPress(db: Db, config: Config, log: FastifyBaseLogger): WordPress {
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
  const stopping = new AbortController();
  return {
    db,
    dataDir,
    cores,
    runtime,
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

/** A project's WordPress, as its runtime knows it. */
export function siteOf(
  { urlOf }: WordPress,
  project: Omit<Site, "url"> & { name: string; primary: string | null },
): Site {
  const { id, recipe, core, name, primary } = project;
  return { id, recipe, core, url: urlOf(name, primary) };
}

/** Keeps what was made; a failure is tried again. */
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
