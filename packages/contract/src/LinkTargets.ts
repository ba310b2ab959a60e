import { splitPath } from "./pathPattern.ts";
import { followRedirect, queryValues, type Redirect } from "./redirects.ts";

/** Added by Cloudflare to pages that it protects. */
const foreign = /^\/cdn-cgi\//;

/** Tells which links of a site lead to a file or a redirect. The pages of a folder share most of their links. */
export class LinkTargets {
  private readonly paths: { has(path: string): boolean };
  private readonly redirects: Redirect[];
  private readonly known = new Map<string, Map<string, boolean>>();

  constructor(paths: { has(path: string): boolean }, redirects: Redirect[]) {
    this.paths = paths;
    this.redirects = redirects;
  }

  /** Those of a file's links that lead nowhere. `base` is what its `<base>` says. */
  broken(links: string[], file: string, base = ""): string[] {
    const own = addressOf(file);
    const address = new URL(".", URL.canParse(base, own) ? new URL(base, own) : own);
    const known = this.known.get(address.href) ?? new Map<string, boolean>();
    this.known.set(address.href, known);
    return links.filter((link) => {
      const isKnown = known.get(link) ?? this.hasTarget(link, address);
      known.set(link, isKnown);
      return !isKnown;
    });
  }

  private hasTarget(link: string, address: URL): boolean {
    if (!URL.canParse(link, address)) return true;
    const { origin, pathname, searchParams } = new URL(link, address);
    if (origin !== siteOrigin || foreign.test(pathname)) return true;
    const path = decode(pathname);
    const segments = splitPath(path);
    const query = queryValues(searchParams);
    const name = path.slice(1);
    const bare = name.replace(/\/$/, "");
    const candidates = [name, `${bare}.html`, bare === "" ? "index.html" : `${bare}/index.html`];
    return (
      candidates.some((candidate) => this.paths.has(candidate)) ||
      this.redirects.some((rule) => followRedirect(rule, segments, query) !== undefined)
    );
  }
}

const siteOrigin = "http://site.invalid";

function addressOf(file: string): URL {
  return new URL(`/${file.split("/").map(encodeURIComponent).join("/")}`, siteOrigin);
}

function decode(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
