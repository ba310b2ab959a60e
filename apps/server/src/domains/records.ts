import { createHash } from "node:crypto";
import { isIPv6 } from "node:net";
import type { DnsRecord, ErrorKey } from "@nido/contract";
import { getDomain } from "tldts";
import type { Sites } from "../state/presentProject.ts";

/** A name that a customer says is theirs, and what for. */
export interface Claim {
  domain: string;
  /** the name of the project that it should show */
  project: string;
  userId: string;
  /** another account was served there: a CNAME may have been left behind, and the project's name changed hands */
  hadOthers: boolean;
}

/**
 * What DNS should have. A CNAME to the project's own host shows by itself whose the name is. A name that cannot have
 * one, as the registered domain itself, points to our addresses, which anybody's might: there a TXT record says whose.
 */
export function expectedRecords({ domain, project, userId, hadOthers }: Claim, sites: Sites): DnsRecord[] {
  const proof: DnsRecord = { type: "TXT", name: `_nido.${domain}`, value: proofOf(userId) };
  const isRegistered = getDomain(domain) === domain;
  if (!isRegistered)
    return [{ type: "CNAME", name: domain, value: controlledHost(project, sites) }, ...(hadOthers ? [proof] : [])];
  return [
    ...sites.addresses.map((value): DnsRecord => ({ type: isIPv6(value) ? "AAAA" : "A", name: domain, value })),
    proof,
  ];
}

/** What is wrong with the records that were seen; undefined where they show whose the name is, and lead here. */
export function faultOf(claim: Claim, seen: DnsRecord[], sites: Sites): ErrorKey | undefined {
  const valuesOf = (...types: DnsRecord["type"][]) =>
    seen.filter(({ type }) => types.includes(type)).map(({ value }) => value);
  const isNamed = valuesOf("CNAME").includes(controlledHost(claim.project, sites));
  if (isNamed && !claim.hadOthers) return undefined;
  const addresses = valuesOf("A", "AAAA");
  const isHere = addresses.length > 0 && addresses.every((address) => sites.addresses.includes(address));
  if (!isNamed && !isHere) return "error_domain_not_configured";
  return valuesOf("TXT").includes(proofOf(claim.userId)) ? undefined : "error_domain_unproven";
}

function controlledHost(project: string, { domain }: Sites): string {
  return `${project}.${domain.replace(/:\d+$/, "")}`;
}

/** The account's own. It is no secret: who can write it into a name's DNS has the name. */
function proofOf(userId: string): string {
  return `nido-account=${createHash("sha256").update(`domains of ${userId}`).digest("hex").slice(0, 32)}`;
}
