import type { PageView } from "../db/schema.ts";
import { readBounded } from "../platform/readBounded.ts";
import { isUnfinished } from "./isUnfinished.ts";
import { safeServers } from "./safeServers.ts";
import type { WordPress } from "./WordPress.ts";
import type { Site, SiteRequest } from "./WordPressRuntime.ts";

type PlatformRequest = Pick<SiteRequest, "url" | "script" | "server" | "seconds" | "isOwn"> & { maxBytes?: number };

const timeoutSeconds = 120;
const maxResponseBytes = 16 * 2 ** 20;
const maxInspected = 2 ** 20;
const maxTitle = 200;
/** Plugins print something after the end. */
const maxTail = 20_000;

/** Makes a request to a site on the platform's own behalf. Throws unless it answers 200. */
export async function requestSite(wordpress: WordPress, site: Site, request: PlatformRequest): Promise<string> {
  const { status, page } = await send(wordpress, site, request);
  if (status !== 200)
    throw new Error(
      `site ${site.id} answered ${status} at ${request.url} (${request.script.path}): ${page.slice(0, 500)}`,
    );
  return page;
}

/** The same in a site that may be broken. */
export async function requestSafely(wordpress: WordPress, site: Site, request: PlatformRequest): Promise<string> {
  let fault: unknown;
  for (const safe of safeServers)
    try {
      return await requestSite(wordpress, site, { ...request, server: { ...request.server, ...safe } });
    } catch (error) {
      fault = error;
    }
  throw fault;
}

/**
 * The status codes of the home page and the login page. A customer may hide either, but 500 and above means broken. An
 * empty page, as PHP sends without a theme, counts as 204.
 */
export async function checkHealth(wordpress: WordPress, site: Site): Promise<number[]> {
  const pages = [
    { url: "/", path: "index.php" },
    { url: "/wp-login.php", path: "wp-login.php" },
  ];
  const answers = pages.map(({ url, path }) => send(wordpress, site, { url, script: { in: "core", path } }));
  return (await Promise.all(answers)).map(({ status, page }) => (status === 200 && page === "" ? 204 : status));
}

/** How pages look to a visitor. */
export async function inspectPages(wordpress: WordPress, site: Site, paths: string[]): Promise<PageView[]> {
  const views: PageView[] = [];
  for (const path of paths) {
    const { status, page } = await send(wordpress, site, { url: path, script: { in: "core", path: "index.php" } });
    const hasEnd = /<\/html>/i.test(page.slice(-maxTail)) && !isUnfinished(page);
    views.push({ path, status, hasEnd, ...describePage(page.slice(0, maxInspected)) });
  }
  return views;
}

/** In one pass, because the site decides what it prints. */
function describePage(page: string): Pick<PageView, "title" | "length"> {
  const start = page.indexOf("<title");
  const inTitle = start < 0 ? -1 : page.indexOf(">", start) + 1;
  const title = inTitle > 0 ? page.slice(inTitle, page.indexOf("<", inTitle)).trim().slice(0, maxTitle) : "";
  let length = 0;
  for (let at = 0; at < page.length; ) {
    const tag = page.indexOf("<", at);
    length += (tag < 0 ? page.length : tag) - at;
    const end = tag < 0 ? -1 : page.indexOf(">", tag);
    if (end < 0) break;
    at = end + 1;
  }
  return { title, length };
}

async function send({ answer }: WordPress, site: Site, { maxBytes = maxResponseBytes, ...request }: PlatformRequest) {
  const headers = { host: new URL(site.url).host };
  const whole = { method: "GET", headers, visitor: "127.0.0.1", isOwn: true, seconds: timeoutSeconds, ...request };
  const { status, body } = await answer(site, whole);
  return { status, page: (await readBounded(body, maxBytes)).toString() };
}
