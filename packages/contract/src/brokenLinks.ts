import { splitPath } from "./pathPattern.ts";
import { followRedirect, queryValues, type Redirect } from "./redirects.ts";

interface BrokenLink {
  link: string;
  /** part of the page, such as an image or a stylesheet; otherwise another page */
  isAsset: boolean;
}

const attribute = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const base = /<base\s[^>]*?href\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/i;
/** What begins and ends what is no part of the page. */
const hiddenStart = /<!--|<(script|style|template)\b/gi;
const hiddenEnds = { script: /<\/script/gi, style: /<\/style/gi, template: /<\/template/gi };
/** Where a page says what applies to all of it. */
export const headLength = 100_000;
/** Added by Cloudflare to pages that it protects. */
const foreign = /^\/cdn-cgi\//;
const asset = /\.(css|m?js|woff2?|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mp3|webmanifest)([?#]|$)/i;

/** Links of a page to addresses of the same site that have neither a file nor a redirect. */
export function brokenLinks(
  html: string,
  page: string,
  paths: { has(path: string): boolean },
  redirects: Redirect[],
): BrokenLink[] {
  const [, ...given] = base.exec(html.slice(0, headLength)) ?? [];
  const own = addressOf(page);
  const from = given.find((each) => each !== undefined) ?? "";
  const address = URL.canParse(from, own) ? new URL(from, own) : own;
  const links = new Map<string, boolean>();
  for (const [, name, one, two, three] of visible(html).matchAll(attribute)) {
    const link = one ?? two ?? three ?? "";
    links.set(link, links.get(link) || name?.toLowerCase() === "src" || asset.test(link));
  }
  return [...links]
    .filter(([link]) => !hasTarget(link, address, paths, redirects))
    .map(([link, isAsset]) => ({ link, isAsset }));
}

/** The page without comments and the contents of scripts. The tag that begins a script stays: it may name a file. */
function visible(html: string): string {
  let [kept, at] = ["", 0];
  hiddenStart.lastIndex = 0;
  for (let start = hiddenStart.exec(html); start; start = hiddenStart.exec(html)) {
    const name = start[1]?.toLowerCase() as keyof typeof hiddenEnds | undefined;
    kept += html.slice(at, start.index);
    if (name) {
      const tagEnd = html.indexOf(">", start.index);
      if (tagEnd < 0) return kept;
      kept += html.slice(start.index, tagEnd);
      at = search(html, hiddenEnds[name], tagEnd);
    } else at = html.indexOf("-->", start.index);
    if (at < 0) return kept;
    hiddenStart.lastIndex = at;
  }
  return kept + html.slice(at);
}

function search(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from;
  return pattern.exec(text)?.index ?? -1;
}

function addressOf(page: string): URL {
  const path = page.split("/").map(encodeURIComponent).join("/");
  return new URL(`/${path.replace(/index\.html$/, "")}`, "http://site.invalid");
}

function hasTarget(link: string, address: URL, paths: { has(path: string): boolean }, redirects: Redirect[]): boolean {
  const text = link.trim().replaceAll("&amp;", "&");
  if (text === "" || text.startsWith("#") || !URL.canParse(text, address)) return true;
  const { origin, pathname, searchParams } = new URL(text, address);
  // Links to other sites and template placeholders are not checked.
  if (origin !== address.origin || /[{}<>]|%7B/i.test(text) || foreign.test(pathname)) return true;
  const path = decode(pathname);
  const segments = splitPath(path);
  const query = queryValues(searchParams);
  const name = path.slice(1);
  const bare = name.replace(/\/$/, "");
  const candidates = [name, `${bare}.html`, bare === "" ? "index.html" : `${bare}/index.html`];
  return (
    candidates.some((candidate) => paths.has(candidate)) ||
    redirects.some((rule) => followRedirect(rule, segments, query) !== undefined)
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
