import { splitPath } from "./pathPattern.ts";

/** Rules that match and lead nowhere are passed over. After this many, the others are not looked at. */
export const maxVainRules = 5;

/** Where a request came in. */
export interface Requested {
  segments: readonly string[];
  query: string;
  host?: string;
}

/**
 * The Location of a redirect; undefined if it leads to where the visitor is, or if what they filled into a placeholder
 * makes an invalid address.
 */
export function redirectTarget(to: string, requested: Requested): string | undefined {
  try {
    const location = locate(to, requested.query);
    return leadsBack(location, requested) ? undefined : location;
  } catch {
    return undefined;
  }
}

export function encodePath(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}

/** A path with two leading slashes would be an open redirect. The query is kept unless the rule has one. */
export function locate(to: string, query: string): string {
  const isExternal = /^https?:\/\//i.test(to);
  const url = new URL(isExternal ? to : to.replace(/^\/[/\\]+/, "/"), "http://site.invalid");
  const path = isExternal ? url.origin + url.pathname : url.pathname.replace(/^\/{2,}/, "/");
  return path + (url.search || (query && `?${query}`)) + url.hash;
}

/** Where a location leads; `isHere`: to the host that the visitor asked for. */
export function destinationOf(
  location: string,
  host = "site.invalid",
): { isHere: boolean; path: string; query: string } {
  const here = new URL(`http://${host}`);
  const { host: there, pathname, search } = new URL(location, here);
  return { isHere: there === here.host, path: pathname, query: search };
}

/** Browsers would ask again until they give up. */
function leadsBack(location: string, requested: Requested): boolean {
  const { isHere, path, query } = destinationOf(location, requested.host);
  if (!isHere || query !== (requested.query && `?${requested.query}`)) return false;
  return splitPath(decodeURIComponent(path)).join("/") === requested.segments.join("/");
}
