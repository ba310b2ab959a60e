import { sql } from "drizzle-orm";
import { z } from "zod";
import { defineJob } from "../jobs/defineJob.ts";

/** Orders the certificate of one name. Two processes never work on the same order: a name has one queue. */
export const orderCertificateJob = defineJob({
  name: "orderCertificate",
  payload: z.object({ name: z.string() }),
  key: "name",
  pool: "certificates",
  queue: ({ name }) => sql`'certificates-' || (hashtext(${name}) & 63)`,
  attempts: 5,
});

/** Orders what is due. */
export const planCertificatesJob = defineJob({
  name: "planCertificates",
  payload: z.object({}),
  queue: "certificates",
  cron: { schedule: "* * * * *", attempts: 1 },
});

/** Adds what is missing and removes what is not served any more. */
export const reconcileCertificatesJob = defineJob({
  name: "reconcileCertificates",
  payload: z.object({}),
  queue: "certificates",
  cron: { schedule: "17 * * * *", attempts: 3 },
});
