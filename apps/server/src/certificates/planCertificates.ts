import { enqueue } from "../jobs/enqueue.ts";
import type { CertificateOrders } from "./CertificateOrders.ts";
import { orderCertificateJob } from "./jobs.ts";
import {
  deleteOldOrders,
  deleteUnused,
  findAccount,
  findDueNames,
  findOldAccounts,
  findOldKeys,
  findRenewalChecks,
  insertCertificate,
  insertMissing,
  replaceKey,
  setAccountKey,
  setRenewal,
  updateCertificate,
} from "./orderQueries.ts";
import { renewalId } from "./x509.ts";

const maxPerRun = 500;
const [hour, day, week] = [3_600_000, 24 * 3_600_000, 7 * 24 * 3_600_000];
const renewalCheckInterval = 12 * hour;
/** An authority may want to be asked sooner or later than that. */
const [minRenewalCheckInterval, maxRenewalCheckInterval] = [hour, day];
const maxRenewalChecks = 200;

/** Orders the certificates that are due. Runs every minute. */
export async function planCertificates(orders: CertificateOrders) {
  for (const name of orders.platformNames) await insertCertificate(orders.db, name);
  for (const name of await findDueNames(orders.db, maxPerRun)) await enqueue(orders.db, orderCertificateJob, { name });
  await askForRenewalTimes(orders);
}

/** Compares the certificates with the domains that are served. Runs every hour. */
export async function reconcileCertificates(orders: CertificateOrders) {
  const { db, keptNames } = orders;
  await insertMissing(db);
  await deleteUnused(db, keptNames);
  await deleteOldOrders(db, new Date(Date.now() - week));
  await encryptAgain(orders);
}

/** Re-encrypts private keys that an earlier ENCRYPTION_KEY encrypted, so that the earlier one can be removed. */
async function encryptAgain({ db, box, log }: CertificateOrders) {
  for (const { authority, key } of await findOldAccounts(db, box.currentId))
    if (box.canOpen(key)) await setAccountKey(db, authority, box.seal(box.open(key, authority), authority));

  for (let after = ""; ; ) {
    const rows = await findOldKeys(db, box.currentId, after, maxPerRun);
    for (const { name, key } of rows) {
      if (box.canOpen(key)) await replaceKey(db, name, key, box.seal(box.open(key, name), name));
      else {
        log.error(
          { name },
          "a private key cannot be decrypted, because ENCRYPTION_KEY has changed; ordering a new certificate",
        );
        await updateCertificate(db, name, { dueAt: new Date() });
      }
      after = name;
    }
    if (rows.length < maxPerRun) return;
  }
}

/** Asks the authorities when to renew (ARI): they may want that early, for example to revoke a certificate. */
async function askForRenewalTimes(orders: CertificateOrders) {
  const { db, log } = orders;
  const before = new Date(Date.now() - renewalCheckInterval);
  for (const { name, chain, notAfter } of await findRenewalChecks(db, before, maxRenewalChecks)) {
    await updateCertificate(db, name, { renewalCheckedAt: new Date() });
    const id = renewalId(chain ?? "");
    try {
      const suggested = id && (await findWindow(orders, id));
      if (!suggested) continue;
      const { start, end, retryAt } = suggested;
      if (retryAt) await updateCertificate(db, name, { renewalCheckedAt: checkedAtFor(retryAt) });
      if (!notAfter || end > notAfter) continue;
      const dueAt = new Date(start.getTime() + Math.random() * (end.getTime() - start.getTime()));
      await setRenewal(db, name, notAfter, dueAt);
    } catch (error) {
      log.warn({ err: error, name }, "could not ask when to renew a certificate");
      return; // The authority is not available: the others wait for the next run, too.
    }
  }
}

/** The answer of the authority that issued the certificate. The others do not know it. */
async function findWindow({ db, authorities }: CertificateOrders, id: string) {
  let failure: unknown;
  for (const { directory } of authorities.list) {
    // Without an account of ours it has issued nothing.
    if (!(await findAccount(db, directory))) continue;
    try {
      const found = await (await authorities.open(directory)).renewalWindow(id);
      if (found) return found;
    } catch (error) {
      failure ??= error;
    }
  }
  if (failure) throw failure;
  return undefined;
}

/** With this time of its last check, a certificate is checked again at `retryAt`, or as close to it as we allow. */
function checkedAtFor(retryAt: Date): Date {
  const wished = retryAt.getTime() - Date.now();
  const interval = Math.min(Math.max(wished, minRenewalCheckInterval), maxRenewalCheckInterval);
  return new Date(Date.now() + interval - renewalCheckInterval);
}
