import type { FastifyBaseLogger } from "fastify";
import { lockUser } from "../account/queries.ts";
import { endSessionsOf } from "../auth/sessions.ts";
import { forgetCustomerJob } from "../billing/jobs.ts";
import { announceChange } from "../db/announceChange.ts";
import type { Db } from "../db/connect.ts";
import { enqueue } from "../jobs/enqueue.ts";
import { mailAddress } from "../mail/queueMail.ts";
import { archiveDays } from "../platform/keptUntil.ts";
import type { ExportStore } from "./ExportStore.ts";
import { eraseUser, findLeft, removeExpiredExports } from "./queries.ts";

/** Erases the accounts that were closed more than 30 days ago, and removes archives that have expired. */
export async function removeLeft(db: Db, exports: ExportStore, log: FastifyBaseLogger) {
  for (const { id } of await findLeft(db, archiveDays)) {
    const removal = db.transaction(async (tx) => {
      await lockUser(tx, id);
      // Asked again under the lock: the customer may have come back.
      const [left] = await findLeft(tx, archiveDays, id);
      if (!left) return;
      await endSessionsOf(tx, id);
      await eraseUser(tx, left);
      if (left.providerId) await enqueue(tx, forgetCustomerJob, { providerId: left.providerId });
      await mailAddress(tx, left, "accountRemoved", {});
      await announceChange(tx, id);
    });
    await removal.catch((error) => log.error({ err: error, user: id }, "could not remove a closed account"));
  }
  await exports.keepOnly(await removeExpiredExports(db));
}
