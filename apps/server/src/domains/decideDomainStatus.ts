import type { DnsRecord, ErrorKey } from "@nido/contract";
import type { ClaimRow, DomainChange } from "./queries.ts";

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];

/** How long a domain whose records are wrong is still served. */
const wrongRecordsGrace = 3 * day;
/** How long a verified domain stays verified while its name server is unreachable. */
const dnsOutageGrace = 12 * day;
/** How long a domain is served while its name server is unreachable: first as verified, then as failing. */
const longOutageGrace = 15 * day;

type Verdict = DomainChange & { status: ClaimRow["status"]; nextCheckAt: Date };

/** The domain's next status, and when to check it again. */
export function decideDomainStatus(
  { status, createdAt, verifiedAt }: Pick<ClaimRow, "status" | "createdAt" | "verifiedAt">,
  reason: ErrorKey | undefined,
  seen?: DnsRecord[],
): Verdict {
  const now = Date.now();
  const after = (delay: number) => new Date(now + delay);
  const common: DomainChange = { checkedAt: after(0), ...(seen && { seen }) };
  if (!reason)
    return { ...common, status: "verified", reason: null, verifiedAt: after(0), nextCheckAt: after(day / 2) };

  const isOutage = reason === "error_dns_unreachable";
  const sinceVerified = now - (verifiedAt?.getTime() ?? 0);
  if (isOutage && status === "verified" && sinceVerified < dnsOutageGrace)
    return { ...common, status, nextCheckAt: after(10 * minute) };
  if (status !== "pending" && sinceVerified < (isOutage ? longOutageGrace : wrongRecordsGrace))
    return { ...common, status: "failing", reason, nextCheckAt: after(10 * minute) };
  return {
    ...common,
    status: "pending",
    // One that is pending already was removed and added again. It becomes the primary one when it is verified.
    ...(status !== "pending" && { isPrimary: false }),
    reason,
    nextCheckAt: after(pendingDelay(now - createdAt.getTime())),
  };
}

/** A new domain is checked often, because its owner is waiting. */
function pendingDelay(age: number): number {
  if (age < hour) return minute / 2;
  return age < day ? 10 * minute : 6 * hour;
}
