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

/** Browsers would ask again until they give up. */
function leadsBack(location: string, { segments, query, host }: Requested): boolean {
  const here = new URL(`http://${host ?? "site.invalid"}`);
  const url = new URL(location, here);
  if (url.host !== here.host || url.search !== (query && `?${query}`)) return false;
  return splitPath(decodeURIComponent(url.pathname)).join("/") === segments.join("/");
}
