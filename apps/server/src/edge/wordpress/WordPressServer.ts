import { resourcesOf, ssoPath } from "@nido/contract";
import type { SiteEntry } from "../../domains/findSite.ts";
import { isRunning } from "../../domains/SiteDirectory.ts";
import { clientAddress } from "../../http/clientAddress.ts";
import type { RateLimiter } from "../../http/RateLimiter.ts";
import { safeServers } from "../../wordpress/safeServers.ts";
import { splitUrl } from "../../wordpress/splitUrl.ts";
import { redeemSsoToken } from "../../wordpress/ssoTokens.ts";
import { siteOf, type WordPress } from "../../wordpress/WordPress.ts";
import { RuntimeFailed, type Site } from "../../wordpress/WordPressRuntime.ts";
import type { FastRequest, FastResponse } from "../fastPath/FastHead.ts";
import { noteSource } from "../requestSource.ts";
import { sendText } from "../sendText.ts";
import { BackupsFirst } from "./BackupsFirst.ts";
import { CachedPages } from "./CachedPages.ts";
import { CompressedFiles } from "./CompressedFiles.ts";
import { ImageForms } from "./images/ImageForms.ts";
import { pageKey } from "./pageKey.ts";
import { RulesInUse } from "./RulesInUse.ts";
import { readSsoForm } from "./readSsoForm.ts";
import type { PhpCall } from "./requestPhp.ts";
import { type Route, routeWordPress } from "./routeWordPress.ts";
import { sendFile } from "./sendFile.ts";
import { BodyRefused, maxBodyBytes, UploadBudget } from "./UploadBudget.ts";
import type { Visit } from "./Visit.ts";

/** A site over its disk quota still accepts bodies of this size: enough to write a post or delete something. */
const smallBodyBytes = 2 ** 18;
/** The limit for the bodies of all requests that wait for PHP, in all processes of the machine together. */
const maxUploadBytes = 2 ** 29;
/** The limit for compressed files in memory, in all processes of the machine together. */
const maxCompressedBytes = 2 ** 27;

/** Serves WordPress sites: files directly, pages from the cache, and everything else by PHP. */
export class WordPressServer {
  private readonly wordpress: WordPress;
  private readonly pages: CachedPages;
  private readonly limiter: RateLimiter;
  private readonly rules: RulesInUse;
  private readonly compressed: CompressedFiles;
  private readonly images: ImageForms;
  private readonly backups: BackupsFirst;

  /** `processes`: how many share the machine's memory */
  constructor(wordpress: WordPress, limiter: RateLimiter, processes: number) {
    this.wordpress = wordpress;
    this.limiter = limiter;
    this.rules = new RulesInUse(wordpress.db);
    this.compressed = new CompressedFiles(Math.floor(maxCompressedBytes / processes));
    this.images = new ImageForms(wordpress.dataDir, limiter, (error, project) =>
      wordpress.log.warn({ err: error, project }, "could not convert an image"),
    );
    const uploads = new UploadBudget(maxUploadBytes / processes);
    this.pages = new CachedPages(wordpress, uploads);
    this.backups = new BackupsFirst(wordpress, uploads, limiter);
  }

  /** For the fast path: the response, if the page is cached, fresh and compressed. */
  findFast(entry: SiteEntry, request: FastRequest): FastResponse | undefined {
    const key = fastKey(entry, request);
    return key === undefined ? undefined : this.pages.findFast(entry.id, key, request);
  }

  /** For the fast path: does what `findFast` needs, if the page is cached. */
  async load(entry: SiteEntry, request: FastRequest) {
    const key = fastKey(entry, request);
    if (key !== undefined) await this.pages.load(entry.id, key, request.headers);
  }

  async serve(entry: SiteEntry, visit: Visit): Promise<void> {
    const { request, response } = visit;
    const [rawPath, query] = splitUrl(request.url ?? "/");
    const path = decode(rawPath);
    if (path === undefined) return sendText(response, 400);
    const size = Number(request.headers["content-length"] ?? 0);
    if (size > maxBodyBytes) return sendText(response, 413);
    if (size > smallBodyBytes && entry.diskUsed > resourcesOf(entry.recipe).disk) return sendText(response, 507);
    const site = siteOf(this.wordpress, { ...entry, core: entry.core ?? "", runtime: entry.runtime ?? "local" });
    if (path === ssoPath && entry.isMoving) return sendMoving(response);
    if (path === ssoPath) return this.signIn(entry, site, visit);

    const ruling = await this.rules.rule(entry, path, query, request.headers.host);
    if (ruling?.kind === "redirect")
      return void response.writeHead(ruling.status, { location: ruling.to, "cache-control": "no-cache" }).end();
    if (ruling?.kind === "file") {
      if (!isRead(request)) return sendText(response, 405, { allow: "GET, HEAD" });
      const headers = { "content-type": ruling.type, "cache-control": "no-cache" };
      return void response.writeHead(200, headers).end(ruling.content);
    }

    const folders = this.wordpress.runtimeOf(site).folders(site);
    const route = routeWordPress(path, folders);
    if (route.kind === "none") return sendText(response, 404);
    if (route.kind === "file") {
      // All sites share the files of WordPress itself.
      const owner = route.root === folders?.core ? "WordPress" : entry.userId;
      const images = route.root === folders?.content ? { siteId: entry.id, forms: this.images } : undefined;
      noteSource(response, "disk");
      return sendFile(request, response, route, query, { owner, compressed: this.compressed, images });
    }
    if (route.kind === "redirect")
      return void response.writeHead(301, { location: route.to + (query && `?${query}`) }).end();
    if (route.kind === "remote" && entry.isMoving) return sendMoving(response);
    if (route.kind === "remote") return this.pages.forward(site, visit).catch((error) => refuseBody(response, error));
    return this.runPhp(entry, site, visit, route, { rawPath, query, isKept: ruling === undefined });
  }

  private async runPhp(
    entry: SiteEntry,
    site: Site,
    visit: Visit,
    { script, pathInfo }: Route & { kind: "php" },
    { rawPath, query, isKept }: { rawPath: string; query: string; isKept: boolean },
  ) {
    const { request, response } = visit;
    const call: PhpCall = { script, ...(pathInfo && { server: { PATH_INFO: pathInfo } }) };
    const key =
      isKept && isRead(request) && script.path === "index.php"
        ? pageKey(cacheNamespace(entry), rawPath, query, request.headers)
        : undefined;
    if (key !== undefined) return this.pages.serve(site, visit, call, key);
    if (entry.isMoving) return sendMoving(response);
    if (this.backups.concerns(entry, visit, call))
      return this.backups.pass(site, visit, call).catch((error) => refuseBody(response, error));
    const isLogin = request.method === "POST" && /^(wp-login|xmlrpc)\.php$/.test(script.path);
    await (isLogin ? this.logIn(site, visit, call) : this.pages.pass(site, visit, call)).catch((error) =>
      refuseBody(response, error),
    );
  }

  /** Limits logins. Each is counted before PHP checks it, so that concurrent guesses are limited, too. */
  private async logIn(site: Site, visit: Visit, call: PhpCall) {
    const subject = `${site.id} ${clientAddress(visit.visitor)}`;
    if (!(await this.limiter.tryTake("wordpressLogin", subject))) return sendText(visit.response, 429);
    const headers = await this.pages.pass(site, visit, call);
    if (headers["x-nido-login"] === "right") await this.limiter.forgive("wordpressLogin", subject);
  }

  /** One-click sign-in: redeems the token and tells PHP whom to sign in. A broken plugin or theme does not prevent it. */
  private async signIn(entry: SiteEntry, site: Site, visit: Visit) {
    const { request, response } = visit;
    if (request.method !== "POST") return sendText(response, 405, { allow: "POST" });
    const form = await readSsoForm(request);
    if (!form || !(await redeemSsoToken(this.wordpress.db, site.id, form.token))) return sendText(response, 403);
    const server = { NIDO_SIGN_IN: entry.username ?? "", NIDO_TARGET: form.isMedia ? "media" : "admin" };
    const call: PhpCall = { script: { in: "core", path: "index.php" }, server };
    const others = safeServers.map((safe) => ({ ...call, server: { ...server, ...safe } }));
    await this.pages.passOr(site, visit, call, ...others);
  }
}

/** For a moment, no PHP runs for the site's visitors. */
function sendMoving(response: Visit["response"]) {
  sendText(response, 503, { "retry-after": "30" });
}

/** Tells the visitor that the request's body is refused, if that is what the error says. The rest of it is not read. */
function refuseBody(response: Visit["response"], error: unknown) {
  const refusal = error instanceof RuntimeFailed ? error.cause : error;
  if (!(refusal instanceof BodyRefused) || response.headersSent) throw error;
  sendText(response, refusal.status, { connection: "close", "retry-after": "30" });
}

/**
 * Pages contain their address, so another primary domain means other pages. So do other rules of what is kept, and
 * maintenance, which shows none that was kept before.
 */
function cacheNamespace({ id, primary, rules, isMaintained }: SiteEntry): string {
  return id + (primary ?? "") + (rules ?? "") + (isMaintained ? "maintained" : "");
}

function fastKey(entry: SiteEntry, { url, headers }: FastRequest): string | undefined {
  if (!isRunning(entry)) return undefined;
  const [path, query] = splitUrl(url);
  // A redirect may ask for a campaign's parameter, which the key leaves out.
  if (query && entry.rules !== null) return undefined;
  return pageKey(cacheNamespace(entry), path, query, headers);
}

function isRead({ method }: Visit["request"]): boolean {
  return method === "GET" || method === "HEAD";
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}
