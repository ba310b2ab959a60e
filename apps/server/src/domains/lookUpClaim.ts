import type { DnsRecord, ErrorKey } from "@nido/contract";
import type { Domains } from "./Domains.ts";
import { type Claim, faultOf } from "./dnsRecords.ts";

export interface Finding {
  /** why the domain is not verified; undefined if it is */
  fault?: ErrorKey;
  seen?: DnsRecord[];
}

/** Looks up a domain's records and compares them with those that the claim needs. */
export async function lookUpClaim({ dns, sites }: Pick<Domains, "dns" | "sites">, claim: Claim): Promise<Finding> {
  const { records, isComplete } = await dns.lookUp(claim.domain);
  const fault = faultOf(claim, records, sites);
  if (!fault) return { seen: records };
  return isComplete ? { fault, seen: records } : { fault: "error_dns_unreachable" };
}
