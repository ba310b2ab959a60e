import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { pipeline, type Readable, Transform } from "node:stream";
import { constants, createBrotliCompress, createGzip } from "node:zlib";
import { resourcesOf, ssoPath } from "@nido/contract";
import { isRunning, type SiteEntry } from "../../domains/SiteDirectory.ts";
import { readAll } from "../../platform/readBounded.ts";
import { Budget } from "../../platform/TokenBucket.ts";
import { siteFolder } from "../../wordpress/siteFolder.ts";
import { takeToken } from "../../wordpress/ssoTokens.ts";
import { siteOf, type WordPress } from "../../wordpress/WordPress.ts";
import type { Site, SiteRequest, SiteResponse } from "../../wordpress/WordPressRuntime.ts";
import { hotPage } from "../fastPath/rawPage.ts";
import { headersForPhp, headersForVisitor } from "./headers.ts";
import { createPage, freshnessOf, type Page, PageCache } from "./PageCache.ts";
import { SiteChanges } from "./PageGenerations.ts";
import { pageKey } from "./pageKey.ts";
import { readSignIn } from "./readSsoForm.ts";
import { routeWordPress } from "./routeWordPress.ts";
import { sendFile } from "./sendFile.ts";
import { encodingFor, encodingOf, sendPage } from "./sendPage.ts";

export interface Visit {
  request: IncomingMessage;
  response: ServerResponse;
  /** the visitor's address */
  visitor: string;
}

const mostUploaded = 66 * 2 ** 20;
const small = 2 ** 18;
const mostKept = 8 * 2 ** 20;
const textual = /^(text\/|application\/(json|xml|rss\+xml|atom\+xml|javascript|xhtml\+xml)|image\/svg\+xml)/;

/** Answers for one WordPress after the other: files by itself, pages it has kept, and everything else by PHP. */
export function createWordPressServer(wordpress: WordPress) {
  const cache = new PageCache();
  const changes = new SiteChanges(wordpress.dataDir);
  // Passwords are not guessed at leisure.
  const attempts = new Budget(20, 0.2);

  return { serve, findHotPage };

  /** The bytes of a page that is kept and fresh, for a visitor like any other. */
  function findHotPage(entry: SiteEntry, url: string, headers: IncomingHttpHeaders): Buffer | undefined {
    if (!isRunning(entry) || headers["if-none-match"] !== undefined) return undefined;
    const [rawPath = "", query = ""] = url.includes("?") ? url.split("?", 2) : [url];
    const key = pageKey(cacheName(entry), rawPath, query, headers);
    const page = key === undefined ? undefined : cache.find(key);
    if (!page || freshnessOf(page, changes.generationOf(entry.id)) !== "fresh") return undefined;
    return hotPage(page, encodingOf(page, headers));
  }

  async function serve(entry: SiteEntry, visit: Visit): Promise<void> {
    const { request, response, visitor } = visit;
    const [rawPath = "/", query = ""] = (request.url ?? "/").split("?", 2) as [string, string?];
    const path = decode(rawPath);
    if (path === undefined) return refuse(response, 400);
    const size = Number(request.headers["content-length"] ?? 0);
    if (size > mostUploaded) return refuse(response, 413);
    // Whoever is out of room can still write a post, or delete something.
    if (size > small && entry.diskUsed > resourcesOf(entry.recipe).disk) return refuse(response, 507);
    const site = siteOf(wordpress, { ...entry, core: entry.core ?? "" });
    if (path === ssoPath) return signIn(wordpress, entry, site, visit);

    const folders = {
      core: wordpress.cores.open(site.core).folder,
      content: siteFolder(wordpress.dataDir, site.id).content,
    };
    const route = routeWordPress(path, folders);
    if (route.kind === "none") return refuse(response, 404);
    if (route.kind === "redirect") {
      response.writeHead(301, { location: route.to + (query && `?${query}`) }).end();
      return;
    }
    if (route.kind === "file") return sendFile(request, response, route.path, query);

    const isAttempt = request.method === "POST" && /^(wp-login|xmlrpc)\.php$/.test(route.script.path);
    if (isAttempt && !attempts.take(`${site.id} ${visitor}`)) return refuse(response, 429);
    const ask = { script: route.script, ...(route.pathInfo && { server: { PATH_INFO: route.pathInfo } }) };
    const isRead = request.method === "GET" || request.method === "HEAD";
    const key =
      isRead && route.script.path === "index.php"
        ? pageKey(cacheName(entry), rawPath, query, request.headers)
        : undefined;
    return key === undefined ? pass(site, visit, ask) : serveKept(site, visit, ask, key);
  }

  /** An answer for this visitor alone, as it comes. */
  async function pass(site: Site, visit: Visit, ask: Ask) {
    const answer = await askPhp(site, visit, ask);
    await stream(site, visit, answer);
  }

  /** A page that is kept, or made now for all who wait for it; the last good one where PHP fails. */
  async function serveKept(site: Site, visit: Visit, ask: Ask, key: string) {
    const { request, response } = visit;
    const generation = changes.generationOf(site.id);
    const kept = cache.find(key);
    const freshness = kept && freshnessOf(kept, generation);
    if (kept && freshness === "fresh") return sendPage(request, response, kept, "hit");
    if (request.method === "HEAD" && !kept) return pass(site, visit, ask);

    // Of the first to come, whose answer may turn out to be theirs alone.
    let own: SiteResponse | undefined;
    const making = cache.make(key, generation, async () => {
      // Without what only counts where this visitor came from.
      const [url] = (request.url ?? "/").split("?", 1);
      const answer = await askPhp(site, visit, { ...ask, method: "GET", url, isForAll: true });
      if (!mayBeKept(answer)) {
        own = answer;
        return undefined;
      }
      const body = await readAll(answer.body, mostKept);
      changes.look(site.id);
      return createPage({ status: answer.status, headers: headersForVisitor(answer.headers), body, generation });
    });
    if (kept && freshness === "expired") {
      making.then(() => own?.body.resume()).catch(() => undefined);
      return sendPage(request, response, kept, "stale");
    }
    const page = await making.catch((error) => {
      if (!kept) throw error;
      return kept;
    });
    if (own) return kept && own.status >= 500 ? sendInstead(visit, kept, own) : stream(site, visit, own);
    if (!page) return pass(site, visit, ask);
    return sendPage(request, response, page, page === kept ? "stale" : "miss");
  }

  async function stream(site: Site, { request, response }: Visit, answer: SiteResponse) {
    const headers = headersForVisitor(answer.headers);
    const isText = textual.test(String(headers["content-type"])) && !headers["content-encoding"];
    const encoding =
      isText && answer.status !== 304 && request.method !== "HEAD" ? encodingFor(request.headers) : undefined;
    if (encoding) {
      headers["content-encoding"] = encoding;
      headers["vary"] = "accept-encoding";
    }
    response.writeHead(answer.status, { ...headers, "x-cache": "pass" });
    const last = new Transform({
      transform: (chunk, _encoding, done) => done(null, chunk),
      flush: (done) => {
        // Before the visitor knows that the answer is whole.
        changes.look(site.id);
        done();
      },
    });
    const compressor =
      encoding === "br"
        ? createBrotliCompress({ params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })
        : createGzip({ level: 5 });
    await new Promise<void>((resolve) => {
      if (encoding) pipeline(answer.body, last, compressor, response, () => resolve());
      else pipeline(answer.body, last, response, () => resolve());
    });
  }

  async function signIn(own: WordPress, entry: SiteEntry, site: Site, visit: Visit) {
    const { request, response } = visit;
    if (request.method !== "POST") return refuse(response, 405, { allow: "POST" });
    const form = await readSignIn(request);
    if (!form || !(await takeToken(own.db, site.id, form.token))) return refuse(response, 403);
    const server = { NIDO_SIGN_IN: entry.username ?? "", NIDO_TARGET: form.isMedia ? "media" : "admin" };
    await pass(site, visit, { script: { in: "core", path: "index.php" }, server });
  }

  function askPhp(
    site: Site,
    { request, visitor }: Visit,
    { method = request.method ?? "GET", url, isForAll, ...ask }: Ask,
  ) {
    const body = method === "GET" || method === "HEAD" || request.readableEnded ? undefined : bounded(request);
    const headers = { ...headersForPhp(request.headers), host: new URL(site.url).host };
    if (isForAll) delete headers.cookie;
    if (!body) {
      delete headers["content-length"];
      delete headers["content-type"];
    }
    return wordpress.runtime.answer(site, { method, url: url ?? request.url ?? "/", headers, body, visitor, ...ask });
  }
}

/** Pages say at which address they are. */
function cacheName({ id, primary }: SiteEntry): string {
  return primary ? id + primary : id;
}

/** What is asked of PHP; what is not given is as the visitor sent it. */
type Ask = Pick<SiteRequest, "script" | "server"> & { method?: string; url?: string | undefined; isForAll?: boolean };

/** Whether an answer is the same for every visitor, and small enough to be kept. */
function mayBeKept({ status, headers }: SiteResponse): boolean {
  if (status !== 200 && status !== 301 && status !== 404) return false;
  if (headers["set-cookie"] || headers["x-nido-keep"] === "no" || headers["www-authenticate"]) return false;
  if (/no-store|private/.test(headers["cache-control"] ?? "") && status !== 404) return false;
  if (!/^(accept-encoding)?$/i.test(headers.vary ?? "")) return false;
  return textual.test(headers["content-type"] ?? "text/html") && Number(headers["content-length"] ?? 0) <= mostKept;
}

async function sendInstead({ request, response }: Visit, kept: Page, failed: SiteResponse) {
  failed.body.resume();
  return sendPage(request, response, kept, "stale");
}

/** No more than may be uploaded, whatever was said of its size. */
function bounded(body: Readable): Readable {
  let size = 0;
  const counter = new Transform({
    transform: (chunk: Buffer, _encoding, done) => {
      size += chunk.length;
      done(size > mostUploaded ? new Error("the upload is too large") : null, chunk);
    },
  });
  pipeline(body, counter, () => undefined);
  return counter;
}

function decode(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}) {
  response.writeHead(status, { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", ...headers });
  response.end(`${status}\n`);
}
