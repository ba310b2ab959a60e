import { isIP } from "node:net";
import { mainBranch } from "@nido/contract";

/** The site that a Host header names: a project and its branch, or a customer's own host. */
export interface SiteAddress {
  address: string;
  /** or the label of a deploy; undefined for a customer's own host, whose branch is in its row */
  branch?: string;
}

/** Parses the host names below SITES_DOMAIN: `{project}`, `{branch}--{project}` or `v--{deploy}--{project}`. */
export function createHostParser(sitesDomain: string) {
  const suffix = `.${sitesDomain}`;
  return (host: string): SiteAddress =>
    host.endsWith(suffix) ? splitLabel(host.slice(0, -suffix.length)) : { address: host.replace(/:\d+$/, "") };
}

/** Whether a project can have this name, or a customer this host. */
export function isSiteAddress(address: string): boolean {
  return /^[a-z0-9]+$/.test(address) || (/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(address) && !isIP(address));
}

/**
 * Splits at the last double hyphen: a project's name has none. A name with a dot is not a project's, and cannot be a customer's own host
 * either, because those are never below SITES_DOMAIN.
 */
function splitLabel(label: string): SiteAddress {
  if (label.includes(".")) return { address: "", branch: mainBranch };
  const end = label.lastIndexOf("--");
  return end < 0
    ? { address: label, branch: mainBranch }
    : { address: label.slice(end + 2), branch: label.slice(0, end) };
}
