import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { DnsRecord, ErrorKey, ExpectedRecord } from "@nido/contract";
import { getDomain } from "tldts";
import type { SiteAddresses } from "../platform/SiteAddresses.ts";

/** A customer's claim that a domain is theirs and should show one of their projects. */
export interface Claim {
  domain: string;
  /** the project's name */
  project: string;
  userId: string;
  /** Another account was served there before: its CNAME may still exist, and the project name may have changed hands. */
  hadOtherHolders: boolean;
}

/**
 * The records that a domain needs. A CNAME to the project's own host proves the ownership by itself. An apex
 * domain cannot have a CNAME, so it points to our addresses. Addresses do not identify an account, so a TXT
 * record has to prove the ownership.
 */
export function expectedRecords(
  { domain, project, userId, hadOtherHolders }: Claim,
  sites: SiteAddresses,
): ExpectedRecord[] {
  const registered = getDomain(domain) ?? domain;
  const record = (type: DnsRecord["type"], name: string, value: string): ExpectedRecord => ({
    type,
    name,
    host: name === registered ? "@" : name.slice(0, -registered.length - 1),
    value,
  });
  const proof = record("TXT", `_nido.${domain}`, proofOf(userId));
  if (domain !== registered)
    return [record("CNAME", domain, controlledHost(project, sites)), ...(hadOtherHolders ? [proof] : [])];
  return [...sites.addresses.map((value) => record(isIPv6(value) ? "AAAA" : "A", domain, value)), proof];
}

/** The fault in the records; undefined if they point here and prove the ownership. */
export function faultOf(claim: Claim, seen: DnsRecord[], sites: SiteAddresses): ErrorKey | undefined {
  const valuesOf = (...types: DnsRecord["type"][]) =>
    seen.filter(({ type }) => types.includes(type)).map(({ value }) => value);
  const isNamed = valuesOf("CNAME").includes(controlledHost(claim.project, sites));
  if (isNamed && !claim.hadOtherHolders) return undefined;
  const addresses = valuesOf("A", "AAAA");
  const isHere = addresses.length > 0 && addresses.every((address) => sites.addresses.includes(address));
  if (!isNamed && !isHere) return "error_domain_not_configured";
  return valuesOf("TXT").includes(proofOf(claim.userId)) ? undefined : "error_domain_unproven";
}

function controlledHost(project: string, { domain }: SiteAddresses): string {
  return `${project}.${domain.replace(/:\d+$/, "")}`;
}

/** The account's proof value. It is not secret: being able to publish it in the domain's DNS is the proof. */
function proofOf(userId: string): string {
  return `nido-account=${createHash("sha256").update(`domains of ${userId}`).digest("hex").slice(0, 32)}`;
}
