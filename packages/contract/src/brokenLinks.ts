import { splitPath } from "./pathPattern.ts";
import { followRedirect, queryValues, type Redirect } from "./redirects.ts";

interface BrokenLink {
  link: string;
  /** part of the page, such as an image or a stylesheet; otherwise another page */
  isAsset: boolean;
}

const attribute = /\s(href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const comment = /<!--[\s\S]*?-->/g;
const asset = /\.(css|m?js|woff2?|png|jpe?g|gif|webp|avif|svg|ico|mp4|webm|mp3|webmanifest)([?#]|$)/i;

/** Links of a page to addresses of the same site that have neither a file nor a redirect. */
export function brokenLinks(
  html: string,
  page: string,
  paths: { has(path: string): boolean },
  redirects: Redirect[],
): BrokenLink[] {
  const base = addressOf(page);
  const links = new Map<string, boolean>();
  for (const [, name, one, two, three] of html.replace(comment, "").matchAll(attribute)) {
    const link = one ?? two ?? three ?? "";
    links.set(link, links.get(link) || name?.toLowerCase() === "src" || asset.test(link));
  }
  return [...links]
    .filter(([link]) => !hasTarget(link, base, paths, redirects))
    .map(([link, isAsset]) => ({ link, isAsset }));
}

function addressOf(page: string): URL {
  const path = page.split("/").map(encodeURIComponent).join("/");
  return new URL(`/${path.replace(/index\.html$/, "")}`, "http://site.invalid");
}

function hasTarget(link: string, base: URL, paths: { has(path: string): boolean }, redirects: Redirect[]): boolean {
  const text = link.trim().replaceAll("&amp;", "&");
  if (text === "" || text.startsWith("#") || !URL.canParse(text, base)) return true;
  const { origin, pathname, searchParams } = new URL(text, base);
  // Links to other sites and template placeholders are not checked.
  if (origin !== base.origin || /[{}<>]|%7B/i.test(text)) return true;
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
