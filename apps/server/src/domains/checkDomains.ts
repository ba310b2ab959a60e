import type { DnsRecord, ErrorKey } from "@nido/contract";
import { lockUser } from "../account/queries.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import type { Performers } from "../jobs/startJobs.ts";
import type { Sites } from "../state/presentProject.ts";
import type { Dns } from "./Dns.ts";
import {
  type ClaimRow,
  type DomainChange,
  findClaim,
  findDue,
  findHolder,
  insertHolder,
  updateDomain,
} from "./queries.ts";
import { type Claim, faultOf } from "./records.ts";

/** What names are verified with. */
export interface Domains {
  db: Db;
  dns: Dns;
  sites: Sites;
}

const [minute, hour, day] = [60_000, 3_600_000, 24 * 3_600_000];
/** How long a name is served whose records are no longer what they should be. */
const grace = 3 * day;
const mostAtOnce = 20;
const mostInOneGo = 1000;

export function domainJobs(domains: Domains): Performers {
  return { checkDomains: () => checkDomains(domains) };
}

export const domainSchedule = `
* * * * * checkDomains ?jobKey=checkDomains&queue=domains&max=3
`;

/** Looks up all names that are due. */
export async function checkDomains(domains: Domains) {
  const due = await findDue(domains.db, mostInOneGo);
  let fault: unknown;
  const work = async () => {
    for (let claim = due.pop(); claim; claim = due.pop())
      await checkDomain(domains, claim).catch((error) => {
        fault ??= error;
      });
  };
  await Promise.all(Array.from({ length: mostAtOnce }, work));
  if (fault) throw fault;
}

async function checkDomain(domains: Domains, claim: ClaimRow) {
  const { db } = domains;
  const { fault, seen } = await lookUp(domains, claim);
  const holder = fault ? undefined : await findHolder(db, claim.domain, claim.id);
  await db.transaction(async (tx) => {
    // Two customers' rows are always taken in the same order.
    for (const userId of [...new Set([claim.userId, holder?.userId ?? claim.userId])].sort())
      await lockUser(tx, userId);
    const current = await findClaim(tx, claim.id);
    if (!current) return;
    const rival = fault ? undefined : await findHolder(tx, claim.domain, claim.id);
    // Somebody else got it since: their row is not locked, and this one is looked at again soon.
    if (rival && rival.id !== holder?.id) return;
    if (rival?.status === "failing") {
      await updateDomain(tx, rival.id, { status: "pending", reason: "error_domain_not_configured", isPrimary: false });
      if (rival.isPrimary) await enqueue(tx, "moveSite", { projectId: rival.projectId });
      await announceChange(tx, rival.userId);
    }
    // It may have lost it a moment ago.
    if (rival?.status === "verified") await updateDomain(tx, rival.id, { nextCheckAt: new Date() });
    const reason = rival?.status === "verified" ? "error_domain_duplicate" : fault;
    const { nextCheckAt, ...change } = verdict(current, reason, seen);
    // Asked for meanwhile, it is looked up again.
    const isHastened = current.nextCheckAt.getTime() !== claim.nextCheckAt.getTime();
    await updateDomain(tx, claim.id, { ...change, ...(!isHastened && { nextCheckAt }) });
    if (change.status === "verified") await insertHolder(tx, claim.domain, claim.userId);
    if (current.isPrimary && change.status === "pending") await enqueue(tx, "moveSite", { projectId: claim.projectId });
    await announceChange(tx, claim.userId);
  });
}

/** What DNS says of a claim now. */
export async function lookUp({ dns, sites }: Domains, claim: Claim): Promise<{ fault?: ErrorKey; seen?: DnsRecord[] }> {
  const { records, isComplete } = await dns.look(claim.domain);
  const fault = faultOf(claim, records, sites);
  if (!fault) return { seen: records };
  return isComplete ? { fault, seen: records } : { fault: "error_dns_unreachable" };
}

function verdict({ status, createdAt, verifiedAt }: ClaimRow, reason: ErrorKey | undefined, seen?: DnsRecord[]) {
  const now = Date.now();
  const after = (pause: number) => new Date(now + pause);
  const common: DomainChange = { checkedAt: after(0), ...(seen && { seen }) };
  const since = now - (verifiedAt?.getTime() ?? 0);
  if (!reason)
    return { ...common, status: "verified" as const, reason: null, verifiedAt: after(0), nextCheckAt: after(day / 2) };
  // That DNS cannot be asked says nothing about a name, for some time.
  if (reason === "error_dns_unreachable" && status === "verified" && since < 4 * grace)
    return { ...common, status, nextCheckAt: after(10 * minute) };
  if (status !== "pending" && since < (reason === "error_dns_unreachable" ? 5 * grace : grace))
    return { ...common, status: "failing" as const, reason, nextCheckAt: after(10 * minute) };
  const age = now - createdAt.getTime();
  const pause = age < hour ? minute / 2 : age < day ? 10 * minute : 6 * hour;
  return { ...common, status: "pending" as const, isPrimary: false, reason, nextCheckAt: after(pause) };
}
