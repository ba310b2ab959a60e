import { domainToUnicode } from "node:url";
import { toDomainHost } from "@nido/contract";
import { getPublicSuffix } from "tldts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";

/** Top-level domains that public DNS never has (RFC 6761 and similar), and those of private networks. */
const privateTlds = new Set(
  "alt arpa corp example home internal invalid lan local localhost mail onion test".split(" "),
);

/** The host in a customer's input; undefined if it cannot be their domain in public DNS. */
export function toPublicHost(typed: string, sites: SiteAddresses): string | undefined {
  const host = toDomainHost(typed);
  if (host === undefined || isOurs(host, sites)) return undefined;
  if (privateTlds.has(host.slice(host.lastIndexOf(".") + 1)) || !isWellEncoded(host)) return undefined;
  return getPublicSuffix(host, { allowPrivateDomains: true }) === host ? undefined : host;
}

/** Whether every Punycode label decodes. */
function isWellEncoded(host: string): boolean {
  return !/(^|\.)xn--/.test(domainToUnicode(host));
}

function isOurs(host: string, { domain, appHost }: SiteAddresses): boolean {
  const ours = domain.replace(/:\d+$/, "");
  return host === appHost || host === ours || host.endsWith(`.${ours}`);
}
