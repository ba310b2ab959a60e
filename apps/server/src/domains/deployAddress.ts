import type { SiteAddresses } from "../platform/SiteAddresses.ts";

const digits = 12;

/**
 * The permanent address of a deploy: `v--{start of its id}--{project}`. No branch can have it, because a branch name has
 * no double hyphen. Undefined if each name below SITES_DOMAIN needs a certificate of its own.
 */
export function deployUrl(project: string, id: string, { scheme, domain, hasWildcard }: SiteAddresses) {
  if (scheme === "https:" && !hasWildcard) return undefined;
  return `${scheme}//v--${id.replaceAll("-", "").slice(0, digits)}--${project}.${domain}`;
}

/** The first and the last id that the label in front of `--{project}` can stand for; undefined for a branch. */
export function idsOf(label: string): [first: string, last: string] | undefined {
  const match = /^v--([0-9a-f]{8})([0-9a-f]{4})$/.exec(label);
  if (!match) return undefined;
  const start = `${match[1]}-${match[2]}`;
  return [`${start}-0000-0000-000000000000`, `${start}-ffff-ffff-ffffffffffff`];
}
