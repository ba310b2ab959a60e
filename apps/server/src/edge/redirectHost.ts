import type { SiteEntry } from "../domains/findSite.ts";
import { isRunning } from "../domains/SiteDirectory.ts";

/** Finds the host, with its port, to which visitors of the given host are redirected, if any. */
export function createHostRedirects(sitesDomain: string) {
  const port = /:\d+$/.exec(sitesDomain)?.[0] ?? "";

  return (site: SiteEntry, host: string): { status: number; host: string } | undefined => {
    if (site.redirectsTo) return { status: 308, host: site.redirectsTo + port };
    if (!isRunning(site)) return undefined;
    // A WordPress site has one address. It may change, so the redirect to it is temporary.
    const own = site.primary ? site.primary + port : `${site.name}.${sitesDomain}`;
    return own === host ? undefined : { status: 307, host: own };
  };
}
