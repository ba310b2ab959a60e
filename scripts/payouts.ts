// What referrers asked to be paid: lists it, and marks one as paid with `npm run payouts -- paid ID SUM`.
import { markPayoutPaid } from "../apps/server/src/referrals/markPayoutPaid.ts";
import { findRequestedPayouts } from "../apps/server/src/referrals/queries.ts";
import { db, operate } from "./operate.ts";

const [verb, id = "", sum = ""] = process.argv.slice(2);

await operate(async () => {
  if (verb === "paid") {
    if (await db.transaction((tx) => markPayoutPaid(tx, id, Math.round(Number(sum) * 100)))) return `${id} is paid.`;
    throw new Error(`No request ${id} waits for ${sum}: a refund may have changed it.`);
  }
  const payouts = await findRequestedPayouts(db);
  const lines = payouts.map(
    ({ id: payout, email, sum: due, currency, requestedAt }) =>
      `${payout}  ${requestedAt.toISOString().slice(0, 10)}  ${(due / 100).toFixed(2)} ${currency}  ${email}`,
  );
  return lines.join("\n") || "Nobody waits to be paid.";
});
