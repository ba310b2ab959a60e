import { join } from "node:path";
import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config/parseConfig.ts";
import type { Db } from "../db/connect.ts";
import { AppError } from "../platform/AppError.ts";
import type { Bucket } from "../platform/Bucket.ts";
import { encryptionSecrets } from "../platform/encryptionKey.ts";
import { SecretBox } from "../platform/SecretBox.ts";
import { BackupStore } from "./BackupStore.ts";
import { CoreStore } from "./core/CoreStore.ts";
import { preparePlatform } from "./core/preparePlatform.ts";
import { provideWpCli } from "./core/provideWpCli.ts";
import { coreSources } from "./core/sources.ts";
import { EmbeddedRuntime } from "./embedded/EmbeddedRuntime.ts";
import { createKubernetes } from "./kubernetes/createKubernetes.ts";
import { UploadStore } from "./moveIn/UploadStore.ts";
import { Loopback } from "./native/Loopback.ts";
import { NativeRuntime } from "./native/NativeRuntime.ts";
import type { PageGenerations } from "./PageGenerations.ts";
import { findWordPress } from "./queries.ts";
import { SiteReports } from "./SiteReports.ts";
import {
  RuntimeFailed,
  type RuntimeName,
  type RuntimeOptions,
  type Site,
  type SiteRequest,
  type WordPressRuntime,
} from "./WordPressRuntime.ts";

/** The dependencies of provisioning and running WordPress sites. */
export interface WordPress {
  db: Db;
  dataDir: string;
  /** the runtime of new sites */
  runtime: WordPressRuntime;
  /** all that WORDPRESS_RUNTIME names */
  runtimes: WordPressRuntime[];
  runtimeOf: (site: { runtime: RuntimeName }) => WordPressRuntime;
  /** Runs PHP for a request, and records what the site reports. Rejects with RuntimeFailed if PHP does not answer. */
  answer: WordPressRuntime["answer"];
  /** The same, for a request that only the machine with the site's files can route. */
  visit: NonNullable<WordPressRuntime["visit"]>;
  /** how native sites reach themselves */
  loopback: Loopback | undefined;
  reports: SiteReports;
  generations: PageGenerations;
  backups: BackupStore;
  /** archives that owners send */
  uploads: UploadStore;
  /** encrypts passwords of other sites */
  box: SecretBox;
  /** Sites that are moved in may be on this machine or in a private network. */
  mayAskPrivate: boolean;
  /** Folder with the must-use plugins and the database driver shared by all sites. */
  platform: () => Promise<string>;
  /** Puts WP-CLI into that folder, unless it is there. Throws if no source has it. */
  provideWpCli: () => Promise<void>;
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
  bucket: Bucket | undefined,
  log: FastifyBaseLogger,
): WordPress {
  const {
    DATA_DIR: dataDir,
    APP_URL: appUrl,
    SITES_DOMAIN: domain,
    WORDPRESS_REQUEST_SECONDS: requestSeconds,
  } = config;
  const folder = join(dataDir, "wordpress");
  const platform = once(() => preparePlatform(folder));
  const mayStart = async (siteId: string) => !(await findWordPress(db, siteId))?.isMoving;
  const loopback = config.WORDPRESS_RUNTIME.includes("native") ? new Loopback(config) : undefined;
  const shared = { dataDir, folder, platform, requestSeconds, mayStart, bucket, loopback, log };
  const runtimes = config.WORDPRESS_RUNTIME.map((name) => createRuntime(name, db, config, shared));
  const runtimeOf: WordPress["runtimeOf"] = (site) => {
    const runtime = runtimes.find(({ name }) => name === site.runtime);
    if (runtime) return runtime;
    throw new RuntimeFailed(`WORDPRESS_RUNTIME has no ${site.runtime} runtime, but a site is there`);
  };
  const report = (site: Site) => runtimeOf(site).report(site.id);
  const reports = new SiteReports({ db, report, generations, log, requestSeconds });
  const stopping = new AbortController();
  return {
    db,
    dataDir,
    runtime: runtimes[0] as WordPressRuntime,
    runtimes,
    runtimeOf,
    answer: (site, request) =>
      reports.record(
        site,
        async () => {
          if (site.isMoving && !request.isOwn) throw new RuntimeFailed("the site is being moved");
          return runtimeOf(site).answer(site, withState(site, request));
        },
        { isUse: !request.isOwn },
      ),
    visit: (site, request) =>
      reports.record(site, async () => {
        const runtime = runtimeOf(site);
        if (!runtime.visit) throw new RuntimeFailed("the site's files are on this machine");
        return runtime.visit(site, request);
      }),
    loopback,
    reports,
    generations,
    backups: new BackupStore(dataDir, bucket),
    uploads: new UploadStore(dataDir, bucket),
    box: new SecretBox(encryptionSecrets(config)),
    mayAskPrivate: config.isLocal,
    platform,
    provideWpCli: once(async () => {
      const target = join(await platform(), "wp-cli", "wp-cli.phar");
      await provideWpCli(target, config.WORDPRESS_CLI).catch((error) => {
        log.warn({ err: error }, "WP-CLI could not be fetched; see docs/OPERATING.md");
        throw new AppError("error_command_missing");
      });
    }),
    urlOf: (name, primary) =>
      `${appUrl.protocol}//${primary ? primary + (/:\d+$/.exec(domain)?.[0] ?? "") : `${name}.${domain}`}`,
    log,
    signal: stopping.signal,
    stop: async () => {
      stopping.abort();
      for (const runtime of runtimes) {
        runtime.cores.stop();
        await runtime.stop();
      }
    },
  };
}

interface Shared extends Omit<RuntimeOptions, "cores"> {
  /** for WordPress itself */
  folder: string;
  bucket: Bucket | undefined;
  loopback: Loopback | undefined;
  log: FastifyBaseLogger;
}

function createRuntime(
  name: Config["WORDPRESS_RUNTIME"][number],
  db: Db,
  config: Config,
  shared: Shared,
): WordPressRuntime {
  if (name === "kubernetes") return createKubernetes(db, config, shared);
  const cores = new CoreStore(
    shared.folder,
    coreSources(config.WORDPRESS_CORE),
    shared.log,
    config.WORDPRESS_LANGUAGES,
  );
  const { loopback } = shared;
  return loopback
    ? new NativeRuntime({ ...shared, cores, loopback, runFolder: config.RUN_DIR })
    : new EmbeddedRuntime({ ...shared, cores, db });
}

/** A project's WordPress as its runtime needs it. */
export function siteOf(
  { urlOf }: WordPress,
  project: Pick<Site, "id" | "recipe" | "core" | "runtime"> & {
    name: string;
    primary: string | null;
    php: string | null;
    isMoving?: boolean | null;
    isMaintained?: boolean | null;
    stagingOf?: string | null;
  },
): Site {
  const { id, recipe, core, php, runtime, name, primary, isMoving, isMaintained, stagingOf } = project;
  const state = {
    ...(php && { php }),
    ...(isMoving && { isMoving }),
    ...(isMaintained && { isMaintained }),
    ...(stagingOf && { isStaging: true }),
  };
  return { id, recipe, core, runtime, ...state, url: urlOf(name, primary) };
}

/** Visitors are shown the maintenance. The platform itself looks at the pages, to update or move the site. */
function withState(site: Site, request: SiteRequest): SiteRequest {
  if (!site.isMaintained || request.isOwn) return request;
  return { ...request, server: { ...request.server, NIDO_MAINTENANCE: "1" } };
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
