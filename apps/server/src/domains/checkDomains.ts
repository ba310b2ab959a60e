import { lockUser } from "../account/queries.ts";
import { platform, record } from "../activity/record.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Tx } from "../db/connect.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { runFairly } from "../platform/runFairly.ts";
import type { Domains } from "./Domains.ts";
import { decideDomainStatus } from "./decideDomainStatus.ts";
import { expectedRecords } from "./dnsRecords.ts";
import { type Finding, lookUpClaim } from "./lookUpClaim.ts";
import { type ClaimRow, findClaim, findDue, findHolder, insertHolder, updateDomain } from "./queries.ts";

const maxConcurrency = 20;
const maxPerRun = 1000;
/** The job runs every minute. */
const timeLimit = 45_000;

/** Looks up all domains whose check is due. In turns, because a customer's name servers may be slow on purpose. */
export async function checkDomains(domains: Domains) {
  const due = await findDue(domains.db, maxPerRun);
  let fault: unknown;
  await runFairly(due, { lanes: maxConcurrency, ownerOf: ({ userId }) => userId, timeLimit }, (claim) =>
    checkDomain(domains, claim).catch((error) => {
      fault ??= error;
    }),
  );
  if (fault) throw fault;
}

async function checkDomain(domains: Domains, claim: ClaimRow) {
  const { db } = domains;
  const finding = await lookUpClaim(domains, claim);
  const holder = finding.fault ? undefined : await findHolder(db, claim.domain, claim.id);
  await db.transaction(async (tx) => {
    // Both customers' rows are locked in the same order everywhere, so that two checks cannot deadlock.
    for (const userId of [...new Set([claim.userId, holder?.userId ?? claim.userId])].sort())
      await lockUser(tx, userId);
    const rival = finding.fault ? undefined : await findHolder(tx, claim.domain, claim.id);
    // After the look-up the domain got another holder, whose customer's row is not locked here. The next
    // check will record the result.
    if (rival && rival.id !== holder?.id) return;
    const current = await findClaim(tx, claim.id);
    if (current) await recordFinding(domains, tx, { claim, current, rival, finding });
  });
}

interface Check {
  claim: ClaimRow;
  /** the claim as it is now, under the lock */
  current: ClaimRow;
  /** another customer's domain of the same name that is served */
  rival: ClaimRow | undefined;
  finding: Finding;
}

async function recordFinding(domains: Domains, tx: Tx, { claim, current, rival, finding }: Check) {
  if (rival?.status === "failing") await evict(domains, tx, rival);
  // The rival may have lost the domain a moment ago, so it is checked at once.
  if (rival?.status === "verified") await updateDomain(tx, rival.id, { nextCheckAt: new Date() });

  const reason = rival?.status === "verified" ? "error_domain_duplicate" : finding.fault;
  const { nextCheckAt, ...change } = decideDomainStatus(current, reason, finding.seen);
  const wasRescheduled = current.nextCheckAt.getTime() !== claim.nextCheckAt.getTime();
  await updateDomain(tx, claim.id, { ...change, ...(!wasRescheduled && { nextCheckAt }) });
  if (change.status === "verified") {
    await insertHolder(tx, claim.domain, claim.userId);
    if (current.status !== "verified") await domains.onVerified(tx, claim.domain);
  }
  await tellChange(domains, tx, current, change.status);
  // One that was removed and is added again becomes the primary domain again with its verification.
  const isNew = change.status === "verified" && current.status === "pending";
  if (current.isPrimary && (isNew || change.status === "pending")) await domains.onPrimaryChanged(tx, claim.projectId);
  await announceChange(tx, claim.userId);
}

/** Tells the customer that their domain works, or no longer does, with the records that it needs. */
async function tellChange({ sites }: Domains, tx: Tx, claim: ClaimRow, status: ClaimRow["status"]) {
  const { projectId, project: name, domain, userId } = claim;
  if (status === claim.status) return;
  const note = (kind: "domainVerified" | "domainFailing" | "domainLost") =>
    record(tx, userId, platform, { kind, params: { project: name, domain }, projectId });
  if (status === "pending") await note("domainLost");
  if (status === "verified" && claim.status === "pending") {
    await note("domainVerified");
    await mailCustomer(tx, userId, "domainVerified", { projectId, name, domain });
  }
  if (status === "failing") {
    await note("domainFailing");
    const records = expectedRecords(claim, sites);
    await mailCustomer(tx, userId, "domainFailing", { projectId, name, domain, records });
  }
}

/** Ends the grace period of a holder whose records are wrong, in favour of one whose records are right. */
async function evict(domains: Domains, tx: Tx, rival: ClaimRow) {
  await updateDomain(tx, rival.id, { status: "pending", reason: "error_domain_not_configured", isPrimary: false });
  if (rival.isPrimary) await domains.onPrimaryChanged(tx, rival.projectId);
  const params = { project: rival.project, domain: rival.domain };
  await record(tx, rival.userId, platform, { kind: "domainLost", params, projectId: rival.projectId });
  await announceChange(tx, rival.userId);
}
