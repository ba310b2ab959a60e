import type { Tx } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { orderCertificateJob } from "./jobs.ts";
import { insertCertificate, resetCertificate } from "./orderQueries.ts";

/** Orders a certificate for a domain that was verified just now, unless it has one. */
export async function wantCertificate(tx: Tx, name: string) {
  if (!(await insertCertificate(tx, name))) await resetCertificate(tx, name);
  await enqueue(tx, orderCertificateJob, { name });
}
