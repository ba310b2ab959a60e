import { domainToUnicode } from "node:url";
import { toDomainHost } from "@nido/contract";
import { getPublicSuffix } from "tldts";
import type { Sites } from "../state/presentProject.ts";

/** Names that the world's DNS will never have (RFC 6761 and its like), and those of machines' own networks. */
const nowhere = new Set("alt arpa corp example home internal invalid lan local localhost mail onion test".split(" "));

/** The host that is meant, or undefined for what cannot be a customer's name in the world's DNS. The one rule of all. */
export function toPublicHost(typed: string, sites: Sites): string | undefined {
  const host = toDomainHost(typed);
  if (host === undefined || isOurs(host, sites)) return undefined;
  if (nowhere.has(host.slice(host.lastIndexOf(".") + 1)) || !isWellEncoded(host)) return undefined;
  return getPublicSuffix(host, { allowPrivateDomains: true }) === host ? undefined : host;
}

/** What stands for other letters stands for some. */
function isWellEncoded(host: string): boolean {
  return !/(^|\.)xn--/.test(domainToUnicode(host));
}

function isOurs(host: string, { domain, appHost }: Sites): boolean {
  const ours = domain.replace(/:\d+$/, "");
  return host === appHost || host === ours || host.endsWith(`.${ours}`);
}
