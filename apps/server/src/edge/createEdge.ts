import type { IncomingMessage, ServerResponse } from "node:http";
import { categoryOf, mainBranch, stagingBranch } from "@nido/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Deploys } from "../deploys/Deploys.ts";
import { idsOf } from "../domains/deployAddress.ts";
import type { ShownBranch, SiteEntry } from "../domains/findSite.ts";
import type { HostOwner } from "../domains/onDemandTlsRoute.ts";
import { createHostParser, isSiteAddress, type SiteAddress } from "../domains/parseHost.ts";
import { isRunning, type SiteDirectory } from "../domains/SiteDirectory.ts";
import type { RateLimiter } from "../http/RateLimiter.ts";
import { ownCopy } from "../platform/ownCopy.ts";
import { Shares } from "../platform/Shares.ts";
import { loggedPath } from "../traffic/RecentRequests.ts";
import type { Traffic } from "../traffic/Traffic.ts";
import { visitKind } from "../traffic/visitKind.ts";
import { loopbackHeader } from "../wordpress/native/Loopback.ts";
import type { WordPress } from "../wordpress/WordPress.ts";
import { countBytes } from "./countBytes.ts";
import { type FastRequest, type FastResponse, hsts } from "./fastPath/FastHead.ts";
import { createHostRedirects } from "./redirectHost.ts";
import { sourceOf } from "./requestSource.ts";
import { sendSitePage, sendUnavailable } from "./sitePage.ts";
import { SitePasswords } from "./static/SitePasswords.ts";
import { type ServedBranch, StaticServer } from "./static/StaticServer.ts";
import { WordPressServer } from "./wordpress/WordPressServer.ts";

interface Options {
  directory: SiteDirectory;
  wordpress: WordPress;
  deploys: Deploys;
  limiter: RateLimiter;
  traffic: Traffic | undefined;
  sitesDomain: string;
  appUrl: URL;
  /** Visitors' TLS connections end at this process, not at a proxy in front of it. */
  hasOwnTls: boolean;
  /** the address of a host, with its scheme */
  originOf: (host: string, isEncrypted: boolean) => Promise<string>;
  brand: string;
  /** how many processes serve on this machine */
  processes: number;
  /** paths that the product itself answers under any host name that is not a site's */
  pathsOnAnyHost: string[];
}

/** The edge: serves customers' sites by host name. Sites with nothing to show get a page that says why. */
export function createEdge({
  directory,
  wordpress,
  deploys,
  limiter,
  traffic,
  sitesDomain,
  appUrl,
  hasOwnTls,
  originOf,
  brand,
  processes,
  pathsOnAnyHost,
}: Options) {
  const parseHost = createHostParser(sitesDomain);
  const redirectOf = createHostRedirects(sitesDomain);
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? "";
  const bareSuffix = `.${sitesDomain.replace(port, "")}`;
  const defaultPort = appUrl.protocol === "https:" ? /:443$/ : /:80$/;
  const blogs = new WordPressServer(timed(wordpress, traffic), limiter, processes);
  const files = new StaticServer(deploys);
  const passwords = new SitePasswords(limiter);
  const ownCalls = new Shares(maxOwnCalls);

  return { serve, serveItself, fastPath: { find: findFast, load: loadFast }, findOwner };

  function findFast(request: FastRequest): FastResponse | undefined {
    const { headers, derived } = request;
    const { host = "" } = headers;
    derived.named ??= parseHost(host);
    const { named } = derived;
    if (isPreview(named)) return undefined;
    const site = directory.peek(named.address);
    if (!site || redirectOf(site, host) || hasPasswords(site)) return undefined;
    const branch = named.branch ?? site.branch ?? mainBranch;
    const shown = shownBy(site, branch);
    const response = shown
      ? files.findFast(shown, request)
      : branch === mainBranch
        ? blogs.findFast(site, request)
        : undefined;
    if (response && traffic) {
      derived.kind ??= visitKind(headers);
      const { status } = response.head;
      const bytes = response.body.length;
      traffic.count(site.id, derived.kind, isShown(status), bytes);
      const cache = shown ? "memory" : "hit";
      traffic.requests.recent.note(site.id, { path: response.path, method: "GET", status, bytes, cache });
    }
    return response && needsHsts(site, request.isEncrypted || !hasOwnTls)
      ? { ...response, head: response.head.withHsts }
      : response;
  }

  async function loadFast(request: FastRequest): Promise<FastResponse | undefined> {
    // The directory keeps it.
    const host = ownCopy(request.headers.host ?? "");
    if (host === appUrl.host || isOnAnyHost(request)) return undefined;
    const named = parseHost(host);
    if (isPreview(named)) return undefined;
    const site = await lookUp(named.address, false);
    const shown = site && shownBy(site, named.branch ?? site.branch ?? mainBranch);
    if (shown && !hasPasswords(site)) await files.load(site, shown, request);
    else if (site) await blogs.load(site, request);
    return findFast(request);
  }

  async function serve(request: FastifyRequest, reply: FastifyReply) {
    // With two Host headers, a proxy in front and this server might each use a different one.
    if (countHosts(request.raw.rawHeaders) > 1) return reply.code(400).type("text/plain").send("400 Bad Request\n");
    const host = request.host.toLowerCase().replace(defaultPort, "");
    if (host === appUrl.host) return;
    const named = parseHost(host);
    const isBelowSitesDomain = named.branch !== undefined;
    const { site, branch } = await resolve(named, !isBelowSitesDomain && isOnAnyHost(request));
    // An unknown host that is not below SITES_DOMAIN is left to the dashboard's own routes.
    if (!site && !isBelowSitesDomain) return;
    if (site && needsHsts(site, request.protocol === "https")) reply.raw.setHeader(hsts.name, hsts.value);
    if (isPreview(named)) reply.raw.setHeader("x-robots-tag", "noindex");
    const redirect = site && branch === mainBranch ? redirectOf(site, host) : undefined;
    if (redirect)
      return reply
        .header("cache-control", "public, max-age=0, must-revalidate")
        .redirect(
          (await originOf(redirect.host, request.protocol === "https" || site?.hasHsts === true)) + request.url,
          redirect.status,
        );
    const labelled = site && !shownBy(site, branch) ? await findDeploy(site, branch) : undefined;
    const shown = site && (shownBy(site, branch) ?? (isPublished(site) ? labelled : undefined));
    const isBlog = site && branch === mainBranch && isRunning(site);
    if (!isBlog && !shown)
      return sendSitePage(request, reply, {
        site: site && (labelled || hasBranch(site, branch)) ? site : undefined,
        brand,
        appUrl,
      });
    const hash = shown && passwordOf(site, labelled?.branch ?? branch);
    if (hash && !(await passwords.admit(request, reply, { site, hash }))) return;
    const served = shown && { ...shown, isPrivate: hash !== undefined, isPreview: isPreview(named) };
    await serveSite(request, reply, site, served);
  }

  /** A request of a site to its own address. It counts as no visit. */
  async function serveItself(request: IncomingMessage, response: ServerResponse) {
    const siteId = wordpress.loopback?.siteOf(request.headers[loopbackHeader]);
    const { site } = siteId ? await resolve(parseHost((request.headers.host ?? "").toLowerCase()), false) : {};
    if (!site || site.id !== siteId || !isRunning(site)) return void response.writeHead(403).end();
    if (!ownCalls.tryTake(site.id)) return void response.writeHead(429).end();
    response.once("close", () => ownCalls.release(site.id));
    // Our scheduler runs it.
    if (/^\/wp-cron\.php(\?|$)/.test(request.url ?? "")) return void response.writeHead(200).end();
    await blogs.serve(site, { request, response, visitor: addressInside(site.id), owner: site.userId });
  }

  async function serveSite(request: FastifyRequest, reply: FastifyReply, site: SiteEntry, shown?: ServedBranch) {
    if (traffic) {
      const kind = visitKind(request.headers);
      countBytes(reply.raw, (bytes) => {
        const { statusCode: status } = reply.raw;
        traffic.count(site.id, kind, isShown(status), bytes);
        // A visitor who left before the answer has no status.
        if (!reply.raw.headersSent) return;
        const { url, method } = request;
        const path = loggedPath(url);
        traffic.requests.recent.note(site.id, { path, method, status, bytes, cache: sourceOf(reply.raw) });
      });
    }
    try {
      reply.hijack();
      if (shown) await files.serve(site, shown, request.raw, reply.raw);
      else
        await blogs.serve(site, {
          request: request.raw,
          response: reply.raw,
          visitor: request.ip,
          owner: site.userId,
        });
    } catch (error) {
      if (reply.raw.destroyed) return request.log.debug({ err: error, site: site.id }, "a visitor left");
      request.log.warn({ err: error, site: site.id }, "a site did not answer");
      if (reply.raw.headersSent) reply.raw.destroy();
      else sendUnavailable(reply.raw, { site, brand, appUrl });
    }
  }

  /** Who needs a certificate for this host, which has no port; undefined if nobody answers there or needs one. */
  async function findOwner(host: string): Promise<HostOwner> {
    if (host === appUrl.hostname) return "dashboard";
    const isOurs = host.endsWith(bareSuffix);
    // The wildcard certificate covers all names below SITES_DOMAIN.
    if (isOurs && deploys.sites.hasWildcard) return undefined;
    const { site, branch } = await resolve(parseHost(host + (isOurs ? port : "")), false);
    return site && (branch === mainBranch || shownBy(site, branch)) ? site : undefined;
  }

  /** The deploy that a permanent address shows while its site is active. */
  async function findDeploy(site: SiteEntry, label: string) {
    const version = idsOf(label) ? await directory.findDeploy(site, label) : undefined;
    return version && { ...version, replaced: [] };
  }

  function needsHsts({ hasHsts }: SiteEntry, isEncrypted: boolean): boolean {
    return hasHsts && isEncrypted && appUrl.protocol === "https:";
  }

  /** The site that a host names, and its branch. The staging copy of a WordPress site is a site of its own. */
  async function resolve(named: SiteAddress, isOptional: boolean) {
    const site = await lookUp(named.address, isOptional);
    const branch = named.branch ?? site?.branch ?? mainBranch;
    if (!site || branch !== stagingBranch || !isRunning(site)) return { site, branch };
    return { site: await directory.find(`${stagingBranch}--${site.name}`), branch: mainBranch };
  }

  async function lookUp(address: string, isOptional: boolean): Promise<SiteEntry | undefined> {
    if (!isSiteAddress(address)) return undefined;
    return directory.find(address).catch((error) => {
      if (!isOptional) throw error;
      return undefined;
    });
  }

  function isOnAnyHost({ url }: { url: string }): boolean {
    return pathsOnAnyHost.includes(url.split("?", 1)[0] ?? "");
  }
}

/** How many requests a site may make to itself at a time. */
const maxOwnCalls = 16;

/** Each site has an address of its own when it calls itself, so that limits by address are not shared. */
function addressInside(siteId: string): string {
  const [high = "", low = ""] = siteId.split("-");
  return `fd00:${high.slice(0, 4)}:${high.slice(4)}:${low}::1`;
}

/** Redirects lead to the page that counts. */
function isShown(status: number): boolean {
  return status < 300 || status === 304;
}

/** Counts how long PHP works, from the request to the end of the response. */
function timed(wordpress: WordPress, traffic: Traffic | undefined): WordPress {
  if (!traffic) return wordpress;
  return {
    ...wordpress,
    answer: async (site, request) => {
      const start = performance.now();
      const answer = await wordpress.answer(site, request);
      answer.body.once("close", () => traffic.countPhp(site.id, performance.now() - start));
      return answer;
    },
    visit: async (site, request) => {
      const start = performance.now();
      const answer = await wordpress.visit(site, request);
      if (!answer.isFile) answer.body.once("close", () => traffic.countPhp(site.id, performance.now() - start));
      return answer;
    },
  };
}

function countHosts(rawHeaders: string[]): number {
  let count = 0;
  for (let index = 0; index < rawHeaders.length; index += 2) if (rawHeaders[index]?.toLowerCase() === "host") count++;
  return count;
}

/** The deploy that a branch of a static site shows, if anything was published there. */
function shownBy(site: SiteEntry, branch: string): ShownBranch | undefined {
  return isPublished(site) && Object.hasOwn(site.branches, branch) ? site.branches[branch] : undefined;
}

function hasBranch({ branches }: SiteEntry, branch: string): boolean {
  return branch === mainBranch || Object.hasOwn(branches, branch);
}

function hasPasswords({ passwords }: SiteEntry): boolean {
  for (const _ in passwords) return true;
  return false;
}

/** The hash of the password that visitors of a branch need: its own, or the one of the whole site. */
function passwordOf({ passwords }: SiteEntry, branch: string): string | undefined {
  return Object.hasOwn(passwords, branch) ? passwords[branch] : passwords[""];
}

function isPublished({ recipe, status }: SiteEntry): boolean {
  return categoryOf(recipe) === "static" && status === "active";
}

/** Whether search engines must not list what is shown here: it will be, or was, shown at another address. */
function isPreview({ branch = mainBranch }: SiteAddress): boolean {
  return branch !== mainBranch;
}
