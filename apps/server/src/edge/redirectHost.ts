import type { SiteEntry } from "../domains/findSite.ts";
import { isRunning } from "../domains/SiteDirectory.ts";

/** The host that a host's visitors are redirected to, if any, with its port. */
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
