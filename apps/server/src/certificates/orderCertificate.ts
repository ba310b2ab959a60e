import type { ErrorKey } from "@nido/contract";
import { platform, record } from "../activity/record.ts";
import type { Tx } from "../db/connect.ts";
import { grantCertificate } from "../domains/grantCertificate.ts";
import { mailCustomer } from "../mail/queueMail.ts";
import { AcmeProblem } from "./acme/AcmeProblem.ts";
import { announceCertificate, type CertificateOrders } from "./CertificateOrders.ts";
import { checkCertificate } from "./checkCertificate.ts";
import { completeOrder } from "./completeOrder.ts";
import { backOff } from "./limits.ts";
import {
  type CertificateRow,
  deleteChallenges,
  deleteUnused,
  findCertificate,
  findOwner,
  findServedSite,
  type OrderRow,
  updateCertificate,
  updateOrder,
} from "./orderQueries.ts";
import { planOrder } from "./planOrder.ts";
import { problemOf } from "./problemOf.ts";
import type { Pem } from "./secureContext.ts";
import { renewalId } from "./x509.ts";

/** After so many failures an order that the authority did not complete is given up, and the other authority is tried. */
const maxResumptions = 2;

/** Orders the certificate of a name, if it is due, or resumes its order. The current one stays in use meanwhile. */
export async function orderCertificate(orders: CertificateOrders, name: string) {
  const { db, authorities, log } = orders;
  const certificate = await findCertificate(db, name);
  const isPlatforms = orders.platformNames.includes(name);
  const owner = isPlatforms ? undefined : await findOwner(db, name);
  if (!certificate || certificate.dueAt.getTime() > Date.now()) return;
  if (!isPlatforms && !owner) return deleteUnused(db, orders.keptNames, name);
  if (owner && !(await grantCertificate(db, owner, name))) return postpone(orders, certificate, tomorrow());

  const authority = authorities.choose(certificate.failures);
  const isRenewal = certificate.chain !== null;
  const { order, isResumed = false, waitUntil } = await planOrder(db, name, authority, { isRenewal, owner });
  if (!order) return postpone(orders, certificate, waitUntil ?? new Date());
  try {
    const acme = await authorities.open(order.authority);
    const replaces = certificate.chain ? renewalId(certificate.chain) : undefined;
    const issued = await completeOrder({ ...orders, acme, replaces, isResumed }, order);
    await store(orders, order, issued);
  } catch (error) {
    log.warn({ err: error, name, authority: order.authority }, "a certificate could not be obtained");
    if (error instanceof AcmeProblem && error.type === "accountDoesNotExist")
      await authorities.forgetAccount(order.authority);
    await recordFailure(orders, certificate, order, error);
  }
}

async function store({ db, box }: CertificateOrders, order: OrderRow, issued: Pem) {
  const { name } = order;
  const { notBefore, notAfter } = checkCertificate(name, issued);
  await db.transaction(async (tx) => {
    await updateOrder(tx, order.id, { status: "valid", endedAt: new Date(), key: null });
    await updateCertificate(tx, name, {
      chain: issued.chain,
      key: box.seal(issued.key, name),
      notAfter,
      dueAt: new Date(notBefore.getTime() + ((notAfter.getTime() - notBefore.getTime()) * 2) / 3),
      // In the past, so that the authority is soon asked for the best time to renew.
      renewalCheckedAt: new Date(0),
      failures: 0,
      problem: null,
    });
    await deleteChallenges(tx, name);
    await announceCertificate(tx, name);
  });
}

function tomorrow(): Date {
  return new Date(Date.now() + 24 * 3_600_000);
}

async function postpone({ db }: CertificateOrders, { name }: CertificateRow, dueAt: Date) {
  await db.transaction(async (tx) => {
    await updateCertificate(tx, name, { dueAt, problem: "error_certificate_rate_limit" });
    await announceCertificate(tx, name);
  });
}

async function recordFailure({ db }: CertificateOrders, certificate: CertificateRow, order: OrderRow, error: unknown) {
  const { name } = certificate;
  const failures = certificate.failures + 1;
  const { key, isFinal, retryAt } = problemOf(error);
  const isOver = isFinal || !order.url || failures % maxResumptions === 0;
  // An order that may still succeed is resumed soon.
  const next = Date.now() + (isOver ? backOff(failures) : 60_000);
  await db.transaction(async (tx) => {
    if (isOver) {
      await updateOrder(tx, order.id, { status: "failed", endedAt: new Date(), key: null });
      await deleteChallenges(tx, name);
    }
    if (certificate.problem !== key) await mailProblem(tx, name, key);
    await updateCertificate(tx, name, {
      failures,
      problem: key,
      dueAt: new Date(Math.max(next, retryAt?.getTime() ?? 0)),
    });
    await announceCertificate(tx, name);
  });
}

/** Tells the domain's customer what they can do about it. A fault of the authority or of ours is not theirs. */
async function mailProblem(tx: Tx, domain: string, reason: ErrorKey) {
  if (!["error_certificate_caa", "error_certificate_rejected", "error_certificate_unreachable"].includes(reason))
    return;
  const site = await findServedSite(tx, domain);
  if (!site) return;
  const { userId, projectId, name } = site;
  await mailCustomer(tx, userId, "certificateProblem", { projectId, name, domain, reason });
  const params = { project: name, domain, reason };
  await record(tx, userId, platform, { kind: "certificateProblem", params, projectId });
}
