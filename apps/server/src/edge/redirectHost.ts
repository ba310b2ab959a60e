import type { SiteEntry } from "../domains/findSite.ts";
import { isRunning } from "../domains/SiteDirectory.ts";

/** Where a host's visitors are redirected to, if anywhere. */
export function createHostRedirects(appUrl: URL, sitesDomain: string) {
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? "";
  const originOf = (host: string) => `${appUrl.protocol}//${host}`;

  return (site: SiteEntry, host: string): { status: number; origin: string } | undefined => {
    if (site.redirectsTo) return { status: 308, origin: originOf(site.redirectsTo + port) };
    if (!isRunning(site)) return undefined;
    // A WordPress site has one address. It may change, so the redirect to it is temporary.
    const own = site.primary ? site.primary + port : `${site.name}.${sitesDomain}`;
    return own === host ? undefined : { status: 307, origin: originOf(own) };
  };
}
