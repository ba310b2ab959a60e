import { enqueue } from "../jobs/enqueue.ts";
import type { CertificateOrders } from "./CertificateOrders.ts";
import { orderCertificateJob } from "./jobs.ts";
import {
  deleteOldOrders,
  deleteUnused,
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
const [hour, week] = [3_600_000, 7 * 24 * 3_600_000];
const renewalCheckInterval = 12 * hour;
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

/** Asks the authority when to renew (ARI): it may want that early, for example if it has to revoke a certificate. */
async function askForRenewalTimes({ db, authorities, log }: CertificateOrders) {
  const before = new Date(Date.now() - renewalCheckInterval);
  for (const { name, chain, notAfter } of await findRenewalChecks(db, before, maxRenewalChecks)) {
    await updateCertificate(db, name, { renewalCheckedAt: new Date() });
    const id = renewalId(chain ?? "");
    try {
      const acme = id ? await authorities.open(authorities.choose(0).directory) : undefined;
      const suggested = id && (await acme?.renewalWindow(id));
      if (!suggested || !notAfter || suggested.end > notAfter) continue;
      const { start, end } = suggested;
      const dueAt = new Date(start.getTime() + Math.random() * (end.getTime() - start.getTime()));
      await setRenewal(db, name, notAfter, dueAt);
    } catch (error) {
      log.warn({ err: error, name }, "could not ask when to renew a certificate");
      return; // The authority is not available: the others wait for the next run, too.
    }
  }
}
