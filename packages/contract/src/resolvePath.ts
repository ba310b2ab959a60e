import { addressOf, type FileNames, fileAt, isNamedBy } from "./fileAt.ts";
import { splitPath } from "./pathPattern.ts";
import { followRedirect, queryValues, type Redirect } from "./redirects.ts";
import { destinationOf, encodePath, locate, maxVainRules, type Requested, redirectTarget } from "./redirectTarget.ts";

/** What a static site answers. `rule`: the one that decided about it. */
export type PathAnswer =
  | { kind: "file"; name: string; status: number; rule?: Redirect }
  | { kind: "redirect"; to: string; status: number; rule?: Redirect }
  | { kind: "none" };

interface Site {
  files: FileNames;
  redirects: readonly Redirect[];
}

/** Resolves a decoded path by the files and redirects of a static site. `host`: as the visitor asked for it. */
export function resolvePath(site: Site, path: string, query = "", host?: string): PathAnswer {
  const name = fileAt(site.files, path);
  const hasFile = name !== undefined && isNamedBy(path, name);
  const followed = followRules(site, hasFile, { segments: splitPath(path), query, ...(host && { host }) });
  if (followed) return followed;
  const found = pageOf(site.files, path, name);
  return found.kind === "redirect" ? { ...found, to: locate(found.to, query) } : found;
}

function followRules(site: Site, hasFile: boolean, requested: Requested): PathAnswer | undefined {
  const query = queryValues(new URLSearchParams(requested.query));
  let vain = 0;
  for (const rule of site.redirects) {
    if (hasFile && !rule.isForced) continue;
    const to = followRedirect(rule, requested.segments, query);
    if (to === undefined) continue;
    const followed = follow(site.files, rule, to, requested);
    if (followed) return followed;
    if (++vain >= maxVainRules) return undefined;
  }
  return undefined;
}

/** Undefined if the target of a rule does not exist, or is where the visitor is. */
function follow(files: FileNames, rule: Redirect, followed: string, requested: Requested): PathAnswer | undefined {
  const { status } = rule;
  if (status !== 200 && status !== 404) {
    const to = redirectTarget(followed, requested);
    return to === undefined || leadsBack(files, to, requested) ? undefined : { kind: "redirect", status, to, rule };
  }
  try {
    const name = fileAt(files, decodeURIComponent(followed.split(/[?#]/, 1)[0] ?? "/"));
    return name === undefined ? undefined : { kind: "file", name, status, rule };
  } catch {
    return undefined; // a placeholder filled by the visitor can make an invalid address
  }
}

/** Whether the target is a page that is shown at the address where the visitor is: `/about.html` at `/about`. */
function leadsBack(files: FileNames, to: string, { segments, host }: Requested): boolean {
  const { isHere, path } = destinationOf(to, host);
  const next = isHere ? pageOf(files, decodeURIComponent(path)) : undefined;
  return next?.kind === "redirect" && splitPath(decodeURIComponent(next.to)).join("/") === segments.join("/");
}

/** By files alone. 308 keeps the method. */
function pageOf(files: FileNames, path: string, name = fileAt(files, path)): PathAnswer {
  if (name === undefined) return { kind: "none" };
  const address = addressOf(files, name);
  return address === path
    ? { kind: "file", name, status: 200 }
    : { kind: "redirect", status: 308, to: encodePath(address) };
}
