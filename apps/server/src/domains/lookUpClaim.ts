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
  if (isComplete) return { fault, seen: records };
  // What was found may show the customer a mistake, such as a CNAME to a name that does not exist.
  return { fault: "error_dns_unreachable", ...(records.length > 0 && { seen: records }) };
}
