// What referrers asked to be paid: lists it, and marks one as paid with `npm run payouts -- paid ID SUM`.
import { parseConfig } from "../apps/server/src/config.ts";
import { connect } from "../apps/server/src/db/connect.ts";
import { embeddedUrl } from "../apps/server/src/db/embeddedPostgres.ts";
import { markPayoutPaid } from "../apps/server/src/referrals/markPayoutPaid.ts";
import { findRequestedPayouts } from "../apps/server/src/referrals/queries.ts";

const config = parseConfig(process.env);
const db = connect(config.DATABASE_URL ?? embeddedUrl(config.DATA_DIR));
const [verb, id = "", sum = ""] = process.argv.slice(2);
if (verb === "paid") {
  const isPaid = await db.transaction((tx) => markPayoutPaid(tx, id, Math.round(Number(sum) * 100)));
  console.log(isPaid ? `${id} is paid.` : `No request ${id} waits for ${sum}: a refund may have changed it.`);
  process.exitCode = isPaid ? 0 : 1;
} else {
  const payouts = await findRequestedPayouts(db);
  for (const { id: payout, email, sum: due, currency, requestedAt } of payouts)
    console.log(
      `${payout}  ${requestedAt.toISOString().slice(0, 10)}  ${(due / 100).toFixed(2)} ${currency}  ${email}`,
    );
  if (payouts.length === 0) console.log("Nobody waits to be paid.");
}
await db.$client.end();
