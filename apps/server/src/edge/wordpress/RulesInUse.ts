import {
  followRedirect,
  isOwnPath,
  isReservedPath,
  matchPath,
  maxVainRules,
  type PathPattern,
  parsePattern,
  parseRedirects,
  queryValues,
  type Redirect,
  type Requested,
  redirectTarget,
  type SiteRules,
  splitPath,
} from "@nido/contract";
import { contentTypeOf } from "@nido/static-site";
import { LRUCache } from "lru-cache";
import type { Db } from "../../db/connect.ts";
import type { SiteEntry } from "../../domains/findSite.ts";
import { findRules } from "../../wordpress/queries.ts";

const maxBytes = 2 ** 25;

interface Parsed {
  redirects: Redirect[];
  files: SiteRules["files"];
  uncached: PathPattern[];
}

/** What an owner's rules say about a request. */
export type Ruling =
  | { kind: "redirect"; status: number; to: string }
  | { kind: "file"; type: string; content: string }
  | { kind: "uncached" };

/** The rules of WordPress sites, parsed once. */
export class RulesInUse {
  private readonly db: Db;
  private readonly parsed = new LRUCache<string, Parsed>({ maxSize: maxBytes });

  constructor(db: Db) {
    this.db = db;
  }

  /** `path`: decoded. Undefined: the request is for WordPress, which answers as always. */
  async rule(entry: SiteEntry, path: string, query: string, host?: string): Promise<Ruling | undefined> {
    if (entry.rules === null || isReservedPath(path)) return undefined;
    const { redirects, files, uncached } = await this.find(entry.id, entry.rules);
    const file = files.find(({ name }) => path === `/${name}`);
    if (file) return { kind: "file", type: typeOf(file.name), content: file.content };
    const segments = splitPath(path);
    if (redirects.length > 0 && !isOwnPath(path)) {
      const redirect = follow(redirects, { segments, query, ...(host && { host }) });
      if (redirect) return redirect;
    }
    return uncached.some((pattern) => matchPath(pattern, segments) !== undefined) ? { kind: "uncached" } : undefined;
  }

  /** `version`: of the rules */
  private async find(id: string, version: string): Promise<Parsed> {
    const known = this.parsed.get(id + version);
    if (known) return known;
    const { rules, version: found } = await findRules(this.db, id);
    const parsed = {
      redirects: parseRedirects(rules.redirects).rules,
      files: rules.files,
      uncached: rules.uncached.flatMap(readUncached),
    };
    this.parsed.set(id + found, parsed, { size: 1000 + 4 * JSON.stringify(rules).length });
    return parsed;
  }
}

/** A stored pattern that is no longer understood counts up to what it does not understand: too few pages are kept, not too many. */
function readUncached(text: string): PathPattern[] {
  return [parsePattern(text), parsePattern(text.replace(/[:*].*$/, "*"))]
    .filter((pattern) => typeof pattern === "object")
    .slice(0, 1);
}

function follow(redirects: Redirect[], requested: Requested): Ruling | undefined {
  const query = queryValues(new URLSearchParams(requested.query));
  // WordPress's REST API, where addresses are not readable.
  if (query.has("rest_route")) return undefined;
  let vain = 0;
  for (const rule of redirects) {
    const followed = followRedirect(rule, requested.segments, query);
    if (followed === undefined) continue;
    const to = redirectTarget(followed, requested);
    if (to !== undefined) return { kind: "redirect", status: rule.status, to };
    if (++vain >= maxVainRules) return undefined;
  }
  return undefined;
}

/** Files without an extension are those of `.well-known`, which are mostly JSON or plain text. */
function typeOf(name: string): string {
  return /\.\w+$/.test(name.split("/").at(-1) ?? "") ? contentTypeOf(name) : "text/plain; charset=utf-8";
}
