import { readFileSync } from "node:fs";
import { join } from "node:path";
import { followRedirect, queryValues, type Redirect, splitPath } from "@nido/contract";

export interface BrokenLink {
  page: string;
  link: string;
}

const attribute = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const comment = /<!--[\s\S]*?-->/g;

/** Links of these pages to addresses of the same site that have neither a file nor a redirect. */
export function findBrokenLinks(
  folder: string,
  pages: string[],
  files: Set<string>,
  redirects: Redirect[],
): BrokenLink[] {
  const broken: BrokenLink[] = [];
  for (const page of pages) {
    const html = readFileSync(join(folder, page), "utf8").replace(comment, "");
    const base = addressOf(page);
    const links = new Set([...html.matchAll(attribute)].map(([, one, two, three]) => one ?? two ?? three ?? ""));
    for (const link of links) if (!hasTarget(link, base, files, redirects)) broken.push({ page, link });
  }
  return broken;
}

function addressOf(page: string): URL {
  const path = page.split("/").map(encodeURIComponent).join("/");
  return new URL(`/${path.replace(/index\.html$/, "")}`, "http://site.invalid");
}

function hasTarget(link: string, base: URL, files: Set<string>, redirects: Redirect[]): boolean {
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
    candidates.some((candidate) => files.has(candidate)) ||
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
