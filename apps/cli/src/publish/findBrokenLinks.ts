import { readFileSync } from "node:fs";
import { join } from "node:path";
import { followRedirect, type Redirect } from "@nido/contract";

export interface BrokenLink {
  page: string;
  link: string;
}

const attribute = /\s(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const comment = /<!--[\s\S]*?-->/g;

/** Links from these pages to places in the same site where there is nothing. */
export function findBrokenLinks(
  folder: string,
  pages: string[],
  files: Set<string>,
  redirects: Redirect[],
): BrokenLink[] {
  const broken: BrokenLink[] = [];
  for (const page of pages) {
    const html = readFileSync(join(folder, page), "utf8").replace(comment, "");
    const base = new URL(
      `/${page
        .split("/")
        .map(encodeURIComponent)
        .join("/")
        .replace(/index\.html$/, "")}`,
      "http://site.invalid",
    );
    const links = new Set([...html.matchAll(attribute)].map(([, one, two, three]) => one ?? two ?? three ?? ""));
    for (const link of links) if (!leadsSomewhere(link, base, files, redirects)) broken.push({ page, link });
  }
  return broken;
}

function leadsSomewhere(link: string, base: URL, files: Set<string>, redirects: Redirect[]): boolean {
  const text = link.trim().replaceAll("&amp;", "&");
  if (text === "" || text.startsWith("#") || !URL.canParse(text, base)) return true;
  const { origin, pathname, searchParams } = new URL(text, base);
  // Elsewhere, or something to be filled in by a program.
  if (origin !== base.origin || /[{}<>]|%7B/i.test(text)) return true;
  const path = decode(pathname);
  const name = path.slice(1);
  const bare = name.replace(/\/$/, "");
  const places = [name, `${bare}.html`, bare === "" ? "index.html" : `${bare}/index.html`];
  return (
    places.some((place) => files.has(place)) ||
    redirects.some((rule) => followRedirect(rule, path, searchParams) !== undefined)
  );
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
